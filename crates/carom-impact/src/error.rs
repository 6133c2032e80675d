//! What can go wrong at contacts.

use crate::laws::LawFailure;
use carom_model::LegendreError;
use carom_model::projection::ProjectionError;

/// Why a motion with contacts cannot go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum ImpactError {
    #[error("at t = {time} contact `{contact}`: {failure}")]
    Law { time: f64, contact: String, failure: LawFailure },
    #[error(
        "at t = {time} the gradient of the gap of `{contact}` vanishes, so that the contact has no normal; \
         write the gap such that it crosses zero with a slope"
    )]
    NoNormal { time: f64, contact: String },
    #[error(
        "at t = {time} the contacts {contacts} meet, and law `{law}` says nothing about several contacts at once; \
         laws that do: elastic, newton, moreau, plastic, transition"
    )]
    NotForSeveral { time: f64, contacts: String, law: String },
    #[error(
        "at t = {time} the impacts of {contacts} do not come to an end after {rounds} rounds (closing at {rate:.1e}); \
         try `multiple = \"simultaneous\"`"
    )]
    Endless { time: f64, contacts: String, rounds: usize, rate: f64 },
    #[error("at t = {time} no impulses of {contacts} satisfy their laws together; are two of them the same?")]
    NoImpulses { time: f64, contacts: String },
    #[error(
        "at t = {time} contact `{contact}` should let go at the transition, but the bodies press together \
         (gap rate {rate:.3e}); let it stay with law `plastic`"
    )]
    PressedAtRelease { time: f64, contact: String, rate: f64 },
    #[error(
        "at t = {time} after {count} impacts without progress (contact `{contact}`, closing at {rate:.1e}): an impact \
         storm; is there room between the obstacles, and does the law lose energy?"
    )]
    Storm { time: f64, contact: String, count: usize, rate: f64 },
    #[error(
        "at t = {time} the impacts of `{contact}` follow each other without end until t = {end}: law `reset` does not \
         say what holds the bodies together then"
    )]
    Accumulation { time: f64, contact: String, end: f64 },
    #[error("at t = {time} the limit of {limit} impacts is reached (contact `{contact}`); raise `max_impacts`")]
    TooManyImpacts { time: f64, contact: String, limit: usize },
    #[error(
        "at t = {time} contact `{contact}` slides with friction and pulls the bodies together: no motion (Painleve); \
         lower the friction, or let the bodies be elastic"
    )]
    Painleve { time: f64, contact: String },
    #[error(
        "at t = {time} contact `{contact}` slides with friction along two tangents; that is simulated for impacts only: \
         give it one tangent, or no friction"
    )]
    PlaneFriction { time: f64, contact: String },
    #[error(
        "at t = {time} contact `{contact}` is {depth:.3e} deep in the obstacle; the nearest free state is {nearest}"
    )]
    Inside { time: f64, contact: String, depth: f64, nearest: String },
    #[error("the initial {what} has {found} entries; the system has {expected} coordinates")]
    WrongLength { what: &'static str, found: usize, expected: usize },
    #[error(
        "at t = {time} the velocity of the smooth path jumps by {kink:.1e} of its size, more than {limit:.0e}: at this \
         place of the boundary the map does not reflect as those of its class do, or it bends so sharply that rounding \
         shows; `carom project` verifies it"
    )]
    Kink { time: f64, kink: f64, limit: f64 },
    #[error("at t = {time} {error}")]
    OutsideDomain { time: f64, error: ProjectionError },
    #[error(
        "at t = {time} the bodies of `{contact}` rest against each other; smooth paths of a projection know impacts only: \
         simulate without the projection"
    )]
    Resting { time: f64, contact: String },
    #[error("at t = {time} the modes of the contacts change without end; the last change was of `{contact}`")]
    Undecided { time: f64, contact: String },
    #[error(transparent)]
    Projection(#[from] ProjectionError),
    #[error(transparent)]
    Legendre(#[from] LegendreError),
}

/// Why a motion has no derivative.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum NotDifferentiable {
    #[error(
        "at t = {time} contact `{contact}` is grazed (its gap closes at {rate:.1e}): motions nearby miss it, and there is no derivative"
    )]
    Grazing { time: f64, contact: String, rate: f64 },
    #[error(
        "at t = {time} the contacts {contacts} strike at the same instant: motions nearby strike one after the other, and there is no derivative"
    )]
    Simultaneous { time: f64, contacts: String },
    #[error(
        "at t = {time} impacts of `{contact}` accumulate: infinitely many impacts end there, and no derivative is computed through them"
    )]
    Accumulation { time: f64, contact: String },
    #[error(
        "at t = {time} contact `{contact}` is on the edge of its cone: motions nearby stick or slip, and there is no derivative"
    )]
    Edge { time: f64, contact: String },
    #[error(
        "at t = {time} the impulses of {contacts} come one after the other (residual {residual:.1e} of one jump): no derivative is computed through such chains"
    )]
    Chain { time: f64, contacts: String, residual: f64 },
    #[error("at t = {time} the jump equations of {contacts} are singular, and there is no derivative")]
    Singular { time: f64, contacts: String },
    #[error("at t = {time} the equations of the step are singular, and there is no derivative")]
    SingularStep { time: f64 },
    #[error("there is no parameter `{name}` to derive by; there are: {known}")]
    NoParameter { name: String, known: String },
    #[error("derivatives through {what} are not computed: {advice}")]
    NotSupported { what: String, advice: &'static str },
    #[error(transparent)]
    Function(#[from] carom_expr::FunctionError),
}
