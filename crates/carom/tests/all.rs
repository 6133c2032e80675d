//! All tests of this crate against its public face, in one program: linking one is quicker than linking many.

mod agreement;
mod closed_contacts;
mod contact_models;
mod contact_properties;
mod degenerate;
mod drift_impacts;
mod first_contact;
mod frames;
mod impact_orders;
mod nonholonomic_jumps;
mod nonholonomic_orders;
mod nonholonomic_properties;
mod projected;
mod projected_cases;
mod projected_endings;
mod projection_bounds;
mod projection_inverse;
mod projections;
mod random_nonholonomic;
mod random_systems;
mod reference_cases;
mod reference_impacts;
mod reference_nonholonomic;
mod streaming;
