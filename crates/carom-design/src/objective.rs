//! What a study minimises.

/// Where the objective is asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// At a design.
    At(Vec<f64>),
    /// At the best design between bounds, if the objective can find it by itself: one `(lower, upper, guess)` per variable.
    Best(Vec<[f64; 3]>),
}

/// A design that is known already.
#[derive(Clone, Copy, Debug)]
pub struct Neighbour<'a> {
    /// The design.
    pub design: &'a [f64],
    /// What the objective left there for those that come after.
    pub trace: &'a [f64],
}

/// What came out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The design: the one that was asked for, or the best one.
    pub design: Vec<f64>,
    /// The cost; nothing if the evaluation failed.
    pub cost: Option<f64>,
    /// The derivatives of the cost by the design variables; empty if they are not known.
    pub slope: Vec<f64>,
    /// Whatever makes evaluations at neighbouring designs easier.
    pub trace: Vec<f64>,
    /// How many problems were solved for it: one, and one more for each attempt that failed.
    pub solves: usize,
    /// Iterations of these.
    pub iterations: usize,
    /// Why it failed, or what is to be said.
    pub note: String,
    /// True if it was stopped: then it is not kept.
    pub is_stopped: bool,
}

impl Answer {
    /// A cost at a design.
    pub fn of(design: &[f64], cost: f64) -> Self {
        Self { design: design.to_vec(), cost: Some(cost), solves: 1, ..Self::default() }
    }

    /// A failure at a design.
    pub fn failed(design: &[f64], why: impl Into<String>) -> Self {
        Self { design: design.to_vec(), solves: 1, note: why.into(), ..Self::default() }
    }
}

/// An expensive cost of a few design variables.
///
/// The answer depends on the question and on the neighbours alone, so that a study can be repeated.
pub trait Objective: Sync {
    /// What it is, for messages.
    fn kind(&self) -> &'static str;

    /// True if it knows the derivatives of the cost.
    fn has_slopes(&self) -> bool {
        false
    }

    /// True if it can find the best design by itself ([`Ask::Best`]).
    fn is_free(&self) -> bool {
        false
    }

    /// True if evaluations begin with what neighbours have left, so that it matters which were evaluated before.
    fn is_continued(&self) -> bool {
        false
    }

    /// Evaluates. `near` are known designs, the nearest first; `stop` turns true when the study shall end.
    fn evaluate(&self, ask: &Ask, near: &[Neighbour<'_>], stop: &(dyn Fn() -> bool + Sync)) -> Answer;
}

/// Any function of the design variables; an error is an evaluation that failed.
#[derive(Clone, Copy, Debug)]
pub struct Function<F>(pub F);

impl<F: Fn(&[f64]) -> Result<f64, String> + Sync> Objective for Function<F> {
    fn kind(&self) -> &'static str {
        "a function"
    }

    fn evaluate(&self, ask: &Ask, _near: &[Neighbour<'_>], _stop: &(dyn Fn() -> bool + Sync)) -> Answer {
        let Ask::At(design) = ask else { return Answer::failed(&[], "a function does not know its best design") };
        match (self.0)(design) {
            Ok(cost) if cost.is_finite() => Answer::of(design, cost),
            Ok(cost) => Answer::failed(design, format!("the cost is {cost}")),
            Err(why) => Answer::failed(design, why),
        }
    }
}
