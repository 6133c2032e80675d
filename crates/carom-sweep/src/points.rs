//! The points of a sweep: a product of axes, random ones, or a table.

use crate::SweepError;
use crate::axis::{Axis, Value, Values, is_word};
use crate::number::number;

/// More points than this are a mistake.
const MAX_POINTS: usize = 1_000_000_000;

/// Where a sweep goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Points {
    /// Every combination; the first axis is the slowest.
    Grid(Vec<Axis>),
    /// Drawn uniformly. A point depends on the seed and on its own number alone, so that more points begin with the same ones.
    Random {
        /// Names and ranges.
        axes: Vec<Axis>,
        /// How many points.
        count: usize,
        /// Which ones.
        seed: u64,
    },
    /// One point per place of the axes, which are equally long.
    Table(Vec<Axis>),
}

impl Points {
    /// Names, in the order of the columns.
    pub fn names(&self) -> Vec<&str> {
        self.axes().iter().map(|axis| axis.name.as_str()).collect()
    }

    /// What varies.
    pub fn axes(&self) -> &[Axis] {
        match self {
            Self::Grid(axes) | Self::Table(axes) | Self::Random { axes, .. } => axes,
        }
    }

    /// How many points there are. Without axes there is one.
    pub fn len(&self) -> usize {
        match self {
            Self::Grid(axes) => axes.iter().fold(1, |product, axis| product.saturating_mul(axis.values.len())),
            Self::Random { count, .. } => *count,
            Self::Table(axes) => axes.first().map_or(0, |axis| axis.values.len()),
        }
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values of point `k`, in the order of the names.
    pub fn get(&self, k: usize) -> Vec<Value> {
        match self {
            Self::Grid(axes) => {
                let mut rest = k;
                let mut values: Vec<Value> = Vec::with_capacity(axes.len());
                for axis in axes.iter().rev() {
                    values.push(axis.values.get(rest % axis.values.len()));
                    rest /= axis.values.len();
                }
                values.reverse();
                values
            }
            Self::Random { axes, seed, .. } => {
                axes.iter().enumerate().map(|(place, axis)| draw(&axis.values, *seed, k, place)).collect()
            }
            Self::Table(axes) => axes.iter().map(|axis| axis.values.get(k)).collect(),
        }
    }

    /// Reads a table with commas: a line of names, then a line of values per point.
    pub fn from_csv(text: &str) -> Result<Self, SweepError> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (_, header) = lines.next().ok_or_else(|| wrong(1, "there is no line of names".to_owned()))?;
        let names: Vec<String> = header.split(',').map(|name| unquoted(name).to_owned()).collect();
        let mut columns: Vec<Vec<(usize, &str)>> = vec![Vec::new(); names.len()];
        for (line, content) in lines {
            let cells: Vec<&str> = content.split(',').map(unquoted).collect();
            if cells.len() != names.len() {
                return Err(wrong(line + 1, format!("it has {} values for {} names", cells.len(), names.len())));
            }
            columns.iter_mut().zip(cells).for_each(|(column, cell)| column.push((line + 1, cell)));
        }
        let axes = names.into_iter().zip(columns).map(|(name, cells)| column(name, cells));
        Ok(Self::Table(axes.collect::<Result<_, _>>()?))
    }

    /// Refuses what is no set of points.
    pub fn check(&self) -> Result<(), SweepError> {
        let fail = |message: String| Err(SweepError::Points(message));
        for (place, axis) in self.axes().iter().enumerate() {
            if self.axes()[..place].iter().any(|other| other.name == axis.name) {
                return fail(format!("the sweep goes over `{}` twice", axis.name));
            }
            self.check_axis(axis)?;
        }
        match self {
            Self::Table(axes) if axes.iter().any(|axis| axis.values.len() != self.len()) => {
                fail("the columns of the points are not equally long".to_owned())
            }
            _ if self.is_empty() => fail("the sweep has no points".to_owned()),
            _ if self.len() > MAX_POINTS => {
                fail(format!("the sweep has {} points, more than the limit of {MAX_POINTS:.0e}", self.len()))
            }
            _ => Ok(()),
        }
    }

    /// Ranges belong to random points, values to all others.
    fn check_axis(&self, Axis { name, values }: &Axis) -> Result<(), SweepError> {
        let message = match (self, values) {
            (Self::Random { .. }, Values::Between(_)) => return Ok(()),
            (Self::Random { .. }, _) => format!("random points need a range: write `{name}=from:to`"),
            (_, Values::Between(_)) => format!(
                "`{name}` has a range, but how many values? write `{name}=from:to:count`, or ask for random points"
            ),
            (_, values) if values.is_empty() => format!("`{name}` has no values"),
            _ => return Ok(()),
        };
        Err(SweepError::Points(message))
    }
}

/// What is wrong with a line of a table.
fn wrong(line: usize, why: String) -> SweepError {
    SweepError::Points(format!("line {line} of the points: {why}"))
}

/// A column of a table, with the lines of its cells.
fn column(name: String, cells: Vec<(usize, &str)>) -> Result<Axis, SweepError> {
    if is_word(&name) {
        return Ok(Axis { name, values: Values::Words(cells.into_iter().map(|(_, word)| word.to_owned()).collect()) });
    }
    let numbers = cells.into_iter().map(|(line, cell)| number(cell).map_err(|why| wrong(line, why)));
    Ok(Axis { values: Values::Listed(numbers.collect::<Result<_, _>>()?), name })
}

/// A cell of a table, without quotes.
fn unquoted(cell: &str) -> &str {
    cell.trim().trim_matches('"').trim()
}

/// A value of a random point.
fn draw(values: &Values, seed: u64, point: usize, place: usize) -> Value {
    let Values::Between(range) = values else { return values.get(0) };
    let mixed = mix(mix(mix(seed) ^ point as u64) ^ place as u64);
    // 53 bits are a double in [0, 1).
    Value::Number(range.at((mixed >> 11) as f64 / (1_u64 << 53) as f64))
}

/// A step of SplitMix64 (Steele, Lea, Flood 2014): every bit of the result depends on every bit of the state.
fn mix(state: u64) -> u64 {
    let z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
