//! One name that varies, and its values.

use crate::SweepError;
use crate::number::{count, items, number};

/// Settings of a model that are words.
const WORDS: [&str; 5] = ["method", "formulation", "jump", "multiple", "project"];
/// Stands before values that are evenly spaced in their logarithm.
const LOG: &str = "log";

/// What a name stands for at a point.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A word, such as the name of a method.
    Word(String),
}

impl Value {
    /// The value as an override of a model: numbers have all their digits.
    pub fn text(&self) -> String {
        match self {
            Self::Number(number) => format!("{number:?}"),
            Self::Word(word) => word.clone(),
        }
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Word(_) => None,
        }
    }
}

/// Where numbers lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// One end.
    pub from: f64,
    /// The other end.
    pub to: f64,
    /// Evenly in the logarithm.
    pub is_log: bool,
}

impl Range {
    /// The number at a share of the way; the ends are exact.
    pub fn at(&self, share: f64) -> f64 {
        match self.is_log {
            _ if share <= 0.0 => self.from,
            _ if share >= 1.0 => self.to,
            true => self.from * (self.to / self.from).powf(share),
            false => self.from + (self.to - self.from) * share,
        }
    }

    fn check(self) -> Result<Self, String> {
        if self.is_log && !(self.from > 0.0 && self.to > 0.0) {
            return Err(format!("both ends of a `{LOG}` range must be positive, not {} and {}", self.from, self.to));
        }
        Ok(self)
    }
}

/// The values of an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// So many, evenly, the ends included.
    Spaced(Range, usize),
    /// Numbers one by one.
    Listed(Vec<f64>),
    /// Words one by one.
    Words(Vec<String>),
    /// Any number in between, for random points.
    Between(Range),
}

impl Values {
    /// How many there are; none of those that are drawn.
    pub fn len(&self) -> usize {
        match self {
            Self::Spaced(_, count) => *count,
            Self::Listed(values) => values.len(),
            Self::Words(words) => words.len(),
            Self::Between(_) => 0,
        }
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The k-th one.
    pub fn get(&self, k: usize) -> Value {
        match self {
            Self::Spaced(range, 1) => Value::Number(range.from),
            Self::Spaced(range, count) => Value::Number(range.at(k as f64 / (count - 1) as f64)),
            Self::Listed(values) => Value::Number(values[k]),
            Self::Words(words) => Value::Word(words[k].clone()),
            Self::Between(range) => Value::Number(range.from),
        }
    }
}

/// A name that varies: whatever can be set in a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The name.
    pub name: String,
    /// Its values.
    pub values: Values,
}

impl Axis {
    /// Reads `NAME=from:to:count`, `NAME=log:from:to:count`, `NAME=1,2,5`, `NAME=from:to` or `method=midpoint,gauss2`.
    pub fn parse(text: &str) -> Result<Self, SweepError> {
        let wrong = |why: String| SweepError::Axis { text: text.to_owned(), why };
        let (name, values) = text.split_once('=').ok_or_else(|| wrong("there is no `=`".to_owned()))?;
        let name = name.trim();
        if name.is_empty() {
            return Err(wrong("there is no name before `=`".to_owned()));
        }
        let values = if is_word(name) { Ok(words(values)) } else { numbers(values) };
        Ok(Self { name: name.to_owned(), values: values.map_err(wrong)? })
    }

    /// Numbers one by one.
    pub fn listed(name: &str, values: Vec<f64>) -> Self {
        Self { name: name.to_owned(), values: Values::Listed(values) }
    }
}

/// True if the values of a setting are words.
pub(crate) fn is_word(name: &str) -> bool {
    let setting = name.rsplit('.').next().unwrap_or(name);
    WORDS.contains(&setting)
}

fn words(text: &str) -> Values {
    Values::Words(items(text).into_iter().map(|word| word.trim().to_owned()).collect())
}

fn numbers(text: &str) -> Result<Values, String> {
    let fields: Vec<&str> = text.split(':').collect();
    let (is_log, fields) = match &fields[..] {
        [first, rest @ ..] if first.trim() == LOG => (true, rest),
        all => (false, all),
    };
    let range = |from, to| Range { from: number(from)?, to: number(to)?, is_log }.check();
    match fields {
        [list] if !is_log => Ok(Values::Listed(items(list).into_iter().map(number).collect::<Result<_, _>>()?)),
        [from, to] => Ok(Values::Between(range(from, to)?)),
        [from, to, many] => Ok(Values::Spaced(range(from, to)?, count(many)?)),
        _ => Err(format!("there are {} colons", text.matches(':').count())),
    }
}
