//! Names for texts.

use carom_expr::text::{NameError, Names};
use carom_expr::{Graph, Id};

/// Knows a few names, and remembers what it was asked for.
pub struct Words {
    known: Vec<String>,
    pub asked: Vec<(String, usize)>,
}

impl Words {
    pub fn new(known: &[&str]) -> Self {
        Self { known: known.iter().map(|name| (*name).to_owned()).collect(), asked: Vec::new() }
    }
}

impl Names for Words {
    fn resolve(&mut self, graph: &mut Graph, name: &str, primes: usize) -> Result<Id, NameError> {
        self.asked.push((name.to_owned(), primes));
        if name == "banned" {
            let (message, help) = ("`banned` cannot stand here".to_owned(), Some("leave it out".to_owned()));
            return Err(NameError::Rejected { message, help });
        }
        if !self.known.iter().any(|known| known == name) {
            return Err(NameError::Unknown);
        }
        Ok(graph.variable(&format!("{name}{}", "'".repeat(primes))))
    }

    fn known(&self) -> Vec<String> {
        self.known.clone()
    }
}
