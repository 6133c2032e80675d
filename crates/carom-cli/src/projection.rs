//! What the command line says about a projection.

use crate::args::Design;
use crate::failure::Failure;
use carom::Model;
use carom::expr::Graph;
use carom::expr::text::{NameError, Names, parse};
use carom::model::Parameter;
use carom::model::projection::{Projection, ProjectionOptions};

/// The projection of a model.
pub fn derive(model: &Model, design: &Design) -> Result<Projection, Failure> {
    let number = |option: &str, text: &str| number(model, option, text);
    let mut domain = Vec::new();
    for (name, [from, to]) in &design.domain {
        domain.push((name.clone(), [number("--domain", from)?, number("--domain", to)?]));
    }
    let k = design.k.as_deref().map(|text| number("--k", text)).transpose()?;
    let options = ProjectionOptions { coordinate: design.coordinate.clone(), k, domain };
    Projection::new(&model.system, &options).map_err(Failure::Projection)
}

/// The value of an expression of the model's parameters.
pub fn number(model: &Model, option: &str, text: &str) -> Result<f64, Failure> {
    let mut graph = Graph::new();
    let value = parse(&mut graph, text, &mut Parameters(model.system.parameters()));
    let refuse = |why: String| Failure::Settings(format!("{option}: `{text}` is not a number: {why}"));
    let value = value.map_err(|error| {
        let help = error.help().map_or(String::new(), |help| format!("; {help}"));
        refuse(format!("{error}{help}"))
    })?;
    let value = graph.evaluate(&[value], &[])[0];
    if value.is_finite() { Ok(value) } else { Err(refuse(format!("its value is {value}"))) }
}

/// Parameters are what options may name.
struct Parameters<'a>(&'a [Parameter]);

impl Names for Parameters<'_> {
    fn resolve(&mut self, graph: &mut Graph, name: &str, primes: usize) -> Result<carom::expr::Id, NameError> {
        let found = self.0.iter().find(|parameter| parameter.name == name && primes == 0);
        found.map(|parameter| graph.constant(parameter.value)).ok_or(NameError::Unknown)
    }

    fn known(&self) -> Vec<String> {
        self.0.iter().map(|parameter| parameter.name.clone()).collect()
    }
}
