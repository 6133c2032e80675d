//! Every impact law, for a contact of a random system.

use super::Draft;
use carom::expr::Expr;
use carom::model::Contact;

/// A law with numbers that are always the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LawKind {
    Elastic,
    Newton,
    Moreau,
    Poisson,
    Plastic,
    /// Plastic, with a tangent and a cone.
    Gripping,
    /// Takes a part of the normal energy.
    Lossful,
    /// Gives an impulse as well.
    Pushing,
}

impl LawKind {
    pub const ALL: [Self; 8] = [
        Self::Elastic,
        Self::Newton,
        Self::Moreau,
        Self::Poisson,
        Self::Plastic,
        Self::Gripping,
        Self::Lossful,
        Self::Pushing,
    ];

    /// True if the jump says something about several contacts at once.
    pub fn is_for_several(self) -> bool {
        !matches!(self, Self::Poisson | Self::Lossful | Self::Pushing)
    }

    /// True if impulses are normal.
    pub fn is_smooth(self) -> bool {
        matches!(self, Self::Elastic | Self::Newton | Self::Plastic | Self::Lossful)
    }

    pub(super) fn contact<'s>(self, draft: &Draft<'s>, index: usize, gap: Expr<'s>, tangent: Expr<'s>) -> Contact {
        let number = |value: f64| draft.scope.constant(value).id();
        let contact = |law: &str| Contact::new(&format!("contact{index}"), gap.id(), law);
        match self {
            Self::Elastic => contact("elastic"),
            Self::Newton => contact("newton").with("restitution", number(0.6)),
            Self::Moreau | Self::Poisson => {
                let law = if self == Self::Moreau { "moreau" } else { "poisson" };
                let rough = contact(law).tangent(tangent.id());
                rough.with("restitution", number(0.6)).with("friction", number(0.3))
            }
            Self::Plastic => contact("plastic"),
            Self::Gripping => contact("plastic").tangent(tangent.id()).with("friction", number(0.3)),
            Self::Lossful => contact("lossful").with("loss", loss(draft, gap).id()),
            Self::Pushing => {
                let push = -0.02 * draft.v[0];
                contact("lossful").with("loss", loss(draft, gap).id()).with("impulse.x0", push.id())
            }
        }
    }
}

/// `0.2 u^2/|G|^2`: less than the energy across the gap, which is at least `u^2/(4 |G|^2)` where masses are
/// at least a half.
fn loss<'s>(draft: &Draft<'s>, gap: Expr<'s>) -> Expr<'s> {
    let slopes = gap.gradient(&draft.q);
    0.2 * draft.pair(&slopes, &draft.v).square() / draft.pair(&slopes, &slopes)
}
