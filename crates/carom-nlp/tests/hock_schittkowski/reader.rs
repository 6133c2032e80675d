//! Reads the collection: one block per problem.
//!
//! ```text
//! hs024                         name
//! start 1 0.5                   start of x1, x2, ..
//! bounds 0 inf [x1 ..]          bounds of these variables, or of all
//! let s = x1 + x2               a name for a formula
//! minimise s^2
//! row s >= 1                    also `<=`, `=`, or on both sides: `row 0 <= s <= 1`
//! optimum 1                     the published optimal value
//! local 2                       another local minimum
//! tolerance 1e-4                where the optimum is too flat for the usual one
//! ```
#![allow(dead_code)] // each test uses a part

use carom_expr::Backend;
use carom_nlp::{Formulas, Nlp, Program, Range};

const TEXTS: [&str; 6] = [
    include_str!("two_variables.txt"),
    include_str!("three_variables.txt"),
    include_str!("four_and_five_variables.txt"),
    include_str!("six_and_seven_variables.txt"),
    include_str!("eight_and_more_variables.txt"),
    include_str!("tables.txt"),
];

/// A problem with its answer.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    pub name: String,
    pub start: Vec<f64>,
    pub bounds: Vec<Range>,
    pub minimise: String,
    pub rows: Vec<(String, Range)>,
    pub optimum: f64,
    pub local: Vec<f64>,
    pub tolerance: Option<f64>,
    lets: Vec<(String, String)>,
}

/// All problems.
pub fn all() -> Vec<Problem> {
    TEXTS.iter().flat_map(|text| read(text)).collect()
}

impl Problem {
    pub fn formulas(&self) -> Formulas {
        let variables = self.start.iter().zip(&self.bounds).enumerate();
        let formulas = variables.fold(Formulas::new(), |formulas, (i, (&start, &range))| {
            formulas.variable(&format!("x{}", i + 1), range, start)
        });
        let rows = self.rows.iter().enumerate();
        rows.fold(formulas.objective(&self.minimise), |formulas, (j, (text, range))| {
            formulas.row(&format!("row{}", j + 1), text, *range)
        })
    }

    pub fn program(&self) -> Program {
        self.formulas().build(Backend::default()).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    pub fn objective(&self, point: &[f64]) -> f64 {
        let mut program = self.program();
        let mut rows = vec![0.0; self.rows.len()];
        program.values(point, &mut rows)
    }

    /// Values of all known local minima.
    pub fn optima(&self) -> impl Iterator<Item = &f64> {
        std::iter::once(&self.optimum).chain(&self.local)
    }

    fn take(&mut self, word: &str, rest: &str) {
        match word {
            "start" => {
                self.start = rest.split_whitespace().map(number).collect();
                self.bounds = vec![Range::FREE; self.start.len()];
            }
            "bounds" => {
                let words: Vec<&str> = rest.split_whitespace().collect();
                let range = Range::new(number(words[0]), number(words[1]));
                match &words[2..] {
                    [] => self.bounds.fill(range),
                    names => names.iter().for_each(|name| self.bounds[index(name)] = range),
                }
            }
            "let" => {
                let (name, text) = rest.split_once(" = ").expect("a name and a formula");
                self.lets.push((name.to_owned(), format!("({})", self.written_out(text))));
            }
            "minimise" => self.minimise = self.written_out(rest),
            "row" => {
                let (text, range) = row(rest);
                self.rows.push((self.written_out(text), range));
            }
            "optimum" => self.optimum = number(rest),
            "local" => self.local.push(number(rest)),
            "tolerance" => self.tolerance = Some(number(rest)),
            _ => panic!("{}: `{word}` has no meaning", self.name),
        }
    }

    /// The formula with names from `let` replaced.
    fn written_out(&self, text: &str) -> String {
        let (mut out, mut rest) = (String::new(), text);
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        while let Some(first) = rest.chars().next() {
            let length = rest.find(|c| is_letter(c) != is_letter(first)).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(length);
            let known = self.lets.iter().find(|(name, _)| name == word);
            out.push_str(known.map_or(word, |(_, text)| text));
            rest = behind;
        }
        out
    }
}

fn read(text: &str) -> Vec<Problem> {
    // Indented lines go on with the line before.
    let text = text.replace("\n  ", " ");
    let mut problems: Vec<Problem> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.split_once(' ') {
            None => problems.push(Problem { name: line.to_owned(), ..Problem::default() }),
            Some((word, rest)) => problems.last_mut().expect("a name comes first").take(word, rest),
        }
    }
    problems
}

/// Formula and bounds of `a <= formula <= b`, `formula <= b`, `formula >= a`, `formula = a`.
fn row(text: &str) -> (&str, Range) {
    let parts: Vec<&str> = text.split(" <= ").collect();
    match (&parts[..], text.split_once(" >= "), text.split_once(" = ")) {
        (&[lower, formula, upper], ..) => (formula, Range::new(number(lower), number(upper))),
        (&[formula, upper], ..) => (formula, Range::at_most(number(upper))),
        (_, Some((formula, lower)), _) => (formula, Range::at_least(number(lower))),
        (.., Some((formula, value))) => (formula, Range::fixed(number(value))),
        _ => panic!("`{text}` is not a row"),
    }
}

fn index(name: &str) -> usize {
    name[1..].parse::<usize>().expect("x and a number") - 1
}

fn number(text: &str) -> f64 {
    text.trim().parse().unwrap_or_else(|_| panic!("`{text}` is not a number"))
}
