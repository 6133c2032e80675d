//! Contacts of systems that are built in Rust depend on what their place in the theory allows.

use carom_expr::{Graph, Id};
use carom_model::{Contact, SystemBuilder, SystemError};

/// A point over a floor, whose contact is changed by `change`; `names` are `x, y, x', t, m, u`.
fn build(change: impl Fn(Contact, [Id; 6]) -> Contact) -> Result<(), SystemError> {
    let mut graph = Graph::new();
    let names = ["x", "y", "x'", "t", "m", "u"].map(|name| graph.variable(name));
    let [_, y, rate, ..] = names;
    let lagrangian = graph.mul(rate, rate);
    let builder = SystemBuilder::new("point").coordinate("x").coordinate("y").parameter("m", 1.0);
    let contact = change(Contact::new("floor", y, "lossful"), names);
    builder.input("u", y).lagrangian(lagrangian).contact(contact).build(graph).map(|_| ())
}

fn message(change: impl Fn(Contact, [Id; 6]) -> Contact) -> String {
    build(change).expect_err("this was built").to_string()
}

#[test]
fn tangents_are_positions() {
    assert_eq!(build(|floor, [x, _, _, _, m, _]| floor.tangent(x).tangent(m)), Ok(()));
    assert_eq!(
        message(|floor, [_, _, rate, ..]| floor.tangent(rate)),
        "the tangent of contact `floor` may depend on coordinates and parameters only, but uses `x'`"
    );
}

#[test]
fn regions_are_of_states() {
    assert_eq!(build(|floor, [_, _, rate, ..]| Contact { active: Some(rate), ..floor }), Ok(()));
    assert_eq!(
        message(|floor, [_, _, _, time, ..]| Contact { active: Some(time), ..floor }),
        "the `active` of contact `floor` may depend on coordinates, rates and parameters only, but uses `t`"
    );
}

#[test]
fn laws_are_of_states_and_time() {
    assert_eq!(
        build(|floor, [x, _, rate, time, ..]| floor.with("loss", rate).with("impulse.x", time).with("a", x)),
        Ok(())
    );
    assert_eq!(
        message(|floor, [_, _, _, _, _, input]| floor.with("impulse.x", input)),
        "the `impulse.x` of contact `floor` may depend on coordinates, rates, time and parameters only, but uses `u`"
    );
}

#[test]
fn gaps_are_of_positions() {
    assert_eq!(
        message(|floor, [_, _, _, time, ..]| Contact { gap: time, ..floor }),
        "the gap of contact `floor` may depend on coordinates and parameters only, but uses `t`"
    );
}
