//! Where the coordinates may be: everywhere, within one period, or within limits that were given.

use carom_expr::{Dependence, Graph, Id, Interval};

/// A box of configurations that stands for all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    /// Variables of the coordinates.
    pub variables: Vec<Id>,
    /// Their ranges; half a line or the whole line where nothing limits them.
    pub ranges: Vec<Interval>,
}

impl Domain {
    /// All values that `roots` can take: coordinates that they do not see stay at zero, periodic ones go round once.
    pub(super) fn whole(graph: &Graph, roots: &[Id], variables: &[Id]) -> Self {
        Self::limited(graph, roots, variables, &vec![None; variables.len()])
    }

    /// The same within `limits`, where there are any.
    pub(super) fn limited(graph: &Graph, roots: &[Id], variables: &[Id], limits: &[Option<[f64; 2]>]) -> Self {
        let range = |(&variable, limit): (&Id, &Option<[f64; 2]>)| match (graph.dependence(roots, variable), limit) {
            (Dependence::None, None) => Interval::point(0.0),
            (Dependence::None, Some([from, to])) => Interval::point(0.5 * (from + to)),
            (_, Some([from, to])) => Interval::new(*from, *to),
            (Dependence::Periodic(period), None) => Interval::new(-0.5 * period, 0.5 * period),
            (Dependence::Other, None) => Interval::ENTIRE,
        };
        Self { variables: variables.to_vec(), ranges: variables.iter().zip(limits).map(range).collect() }
    }
}
