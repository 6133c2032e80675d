//! Mistakes in contacts: where they are reported, and in which words. `«` marks the place.

use crate::marked;

use carom_model::Model;
use marked::{HEAD, check_after_head, said, words};

/// A floor with these lines.
fn floor(lines: &str) -> String {
    said(&format!("[contacts.floor]\ngap = \"y\"\n{lines}\n"))
}

#[test]
fn unknown_laws_are_listed() {
    let laws = "laws: elastic, newton, lossful, moreau, poisson, plastic, transition, reset, literal";
    assert_eq!(
        floor("law = «\"moreu\"\nfriction = 0.3"),
        format!("there is no impact law `moreu` / did you mean `moreau`? {laws}")
    );
    assert_eq!(floor("law = «\"bounce\""), format!("there is no impact law `bounce` / {laws}"));
    check_after_head(&["wrong-type"], "[contacts.floor]\ngap = \"y\"\nlaw = «3\n");
    check_after_head(
        &["unknown-value", "unknown-key"],
        "[contacts.floor]\ngap = \"y\"\nlaw = «\"bounce\"\n«bounciness = 1\n",
    );
}

#[test]
fn keys_of_other_laws() {
    assert_eq!(
        floor("law = \"newton\"\nrestitution = 0.5\n«friction = 0.3"),
        "`friction` is no key of law `newton` / keys of law `newton`: restitution; \
         laws with friction: moreau, poisson, plastic, transition"
    );
    assert_eq!(
        floor("«restitution = 0.5"),
        "`restitution` is no key of law `elastic` / law `elastic` has no keys of its own; \
         laws with restitution: newton, moreau, poisson"
    );
    assert_eq!(
        floor("law = \"plastic\"\n«releases = [\"floor\"]"),
        "`releases` is no key of law `plastic` / keys of law `plastic`: friction; laws with releases: transition"
    );
    assert_eq!(
        floor("law = \"newton\"\nrestitution = 0.5\n«frction = 0.3"),
        "contact `floor` has no key `frction` / did you mean `friction`? laws with friction: moreau, poisson, plastic, transition"
    );
    assert_eq!(
        floor("law = \"newton\"\nrestitution = 0.5\n«tangnet = \"x\""),
        "contact `floor` has no key `tangnet` / did you mean `tangent`? \
         keys with law `newton`: gap, point, plane, radius, law, tangent, active, closed, doc, restitution"
    );
}

#[test]
fn keys_that_a_law_needs() {
    assert_eq!(
        floor("law = «\"newton\""),
        "law `newton` of contact `floor` needs `restitution`: coefficient of restitution, from 0 (plastic) to 1 (elastic) \
         / add, for example, `restitution = 0.5`"
    );
    assert_eq!(
        floor("tangent = \"x\"\nlaw = «\"moreau\"\nrestitution = 0"),
        "law `moreau` of contact `floor` needs `friction`: coefficient of friction / add, for example, `friction = 0.3`"
    );
    assert_eq!(
        floor("law = «\"literal\""),
        "law `literal` of contact `floor` needs `normal`: the coordinate that the surface is a graph of \
         / add, for example, `normal = \"x\"`"
    );
    let releases = "law `transition` of contact `floor` needs `releases`: the contacts that let go \
                    / add, for example, `releases = [\"wall\"]`";
    assert_eq!(floor("law = «\"transition\"\n[contacts.wall]\ngap = \"x\""), releases);
    assert_eq!(floor("law = \"transition\"\n«releases = []\n[contacts.wall]\ngap = \"x\""), releases);
    check_after_head(
        &["missing-key", "missing-key", "missing-key"],
        "[contacts.floor]\ngap = \"y\"\nlaw = «««\"moreau\"\n",
    );
}

#[test]
fn numbers_of_laws_have_bounds() {
    let restitution = "it must be between 0 and 1: coefficient of restitution, from 0 (plastic) to 1 (elastic)";
    assert_eq!(
        floor("law = \"newton\"\nrestitution = «1.2"),
        format!("`restitution` of contact `floor` is 1.2; {restitution} / write a number that is between 0 and 1")
    );
    assert_eq!(
        floor("law = \"newton\"\nrestitution = «\"e/2\"\n[parameters]\ne = -1"),
        format!(
            "`restitution` of contact `floor` is -0.5; {restitution} / change `e` (now -1), in [parameters] or with --set"
        )
    );
    assert_eq!(
        floor("law = \"plastic\"\nfriction = «-0.1\ntangent = \"x\""),
        "`friction` of contact `floor` is -0.1; it must be finite and at least 0: coefficient of friction \
         / write a number that is finite and at least 0"
    );
    for (number, code) in [("\"1/0\"", "out-of-range"), ("\"0/0\"", "out-of-range"), ("inf", "not-finite")] {
        let text = format!("[contacts.floor]\ngap = \"y\"\nlaw = \"plastic\"\ntangent = \"x\"\nfriction = «{number}\n");
        check_after_head(&[code], &text);
    }
    check_after_head(&["wrong-type"], "[contacts.floor]\ngap = \"y\"\nlaw = \"newton\"\nrestitution = «true\n");
    // A parameter that is wrong itself is reported once.
    let wrong = "[parameters]\ne = \"1 +«\"\n[contacts.floor]\ngap = \"y\"\nlaw = \"newton\"\nrestitution = \"e\"\n";
    check_after_head(&["expression"], wrong);
}

#[test]
fn bounds_hold_for_values_of_the_command_line() {
    let text =
        format!("{HEAD}[parameters]\ne = 0.5\n[contacts.floor]\ngap = \"y\"\nlaw = \"newton\"\nrestitution = \"e\"\n");
    let set = |value: &str| Model::from_text(&text, "ball.toml", &[("e".to_owned(), value.to_owned())]);
    assert!(set("1").is_ok());
    let found = set("1.2").unwrap_err().0;
    assert_eq!((found[0].code, found[0].line), ("out-of-range", 10));
    assert!(words(&found[0]).contains("is 1.2; it must be between 0 and 1"), "{}", found[0]);
    assert!(words(&found[0]).ends_with("change `e` (now 1.2), in [parameters] or with --set"), "{}", found[0]);
}

#[test]
fn tangents() {
    let help = "add, for example, `tangent = \"x\"`, an expression of coordinates whose rate is the slip velocity \
                (for a ball that rolls: \"x + r*phi\")";
    assert_eq!(
        floor("law = «\"moreau\"\nrestitution = 0.5\nfriction = 0.3"),
        format!("law `moreau` of contact `floor` needs `tangent`: along which positions friction acts / {help}")
    );
    assert_eq!(
        floor("law = \"plastic\"\n«friction = 0.3"),
        format!("`friction` of contact `floor` needs `tangent`: along which positions friction acts / {help}")
    );
    let poisson = "law = \"poisson\"\nrestitution = 0.5\nfriction = 0.3\n";
    assert_eq!(
        floor(&format!("{poisson}tangent = «[\"x\", \"x*y\"]")),
        "contact `floor` has 2 tangents, but Routh's law is for one / write one tangent, or use law `moreau`, which takes two"
    );
    assert_eq!(
        floor(&format!("{poisson}tangent = «[]")),
        "expected one tangent or two, found 0 / write, for example, `tangent = \"x\"` or `tangent = [\"x\", \"z\"]`"
    );
    assert!(floor("tangent = «[\"x\", \"y\", \"x*y\"]").starts_with("expected one tangent or two, found 3"));
    assert!(floor("tangent = «true").starts_with("expected a number or an expression in quotes"));
    assert!(floor("tangent = «\"r\"\n[parameters]\nr = 1").starts_with("the tangent of `floor` is constant"));
    assert!(floor("tangent = [\"2*x\", «\"x + x\"]").starts_with("the two tangents of `floor` are the same"));
    assert_eq!(
        floor("tangent = \"«x'\""),
        "`x'` is a rate, but a tangent may depend on coordinates and parameters only \
         / write the position along the surface; its rate, the slip velocity, is derived"
    );
}

#[test]
fn what_contacts_may_depend_on() {
    assert!(floor("active = \"«t\"").contains("`active` may depend on coordinates, rates and parameters only"));
    assert!(floor("law = \"lossful\"\nloss = \"«u\"\n[inputs]\nu = 1").contains("an impact law may depend on"));
    check_after_head(&["not-allowed"], "[contacts.floor]\ngap = \"y + «x'\"\n");
    check_after_head(&["not-finite"], "[contacts.floor]\ngap = \"y\"\nactive = «\"1/(x - 1)\"\n");
    check_after_head(&["wrong-type"], "[contacts.floor]\ngap = \"y\"\nclosed = «1\n");
    check_after_head(&["wrong-type"], "[contacts.floor]\ngap = \"y\"\ndoc = «1\n");
}

#[test]
fn names_behind_keys_of_laws() {
    assert_eq!(
        floor("law = \"lossful\"\nimpulse = { «z = 1 }"),
        "`impulse` of contact `floor` names `z`, which is not a coordinate / coordinates: x, y"
    );
    assert_eq!(
        floor("law = \"reset\"\nvelocity = «\"-y'\""),
        "expected a table of expressions under names of coordinates, found a string \
         / write, for example, `velocity = { x = \"-0.1*x'\" }`"
    );
    assert!(floor("law = \"reset\"\nposition = { y = «[1] }").starts_with("expected a number or an expression"));
    assert!(floor("law = \"literal\"\nnormal = «\"Y\"").ends_with("which is not a coordinate / did you mean `y`?"));
    check_after_head(&["wrong-type"], "[contacts.floor]\ngap = \"y\"\nlaw = \"literal\"\nnormal = «1\n");
    let wall = "[contacts.wall]\ngap = \"x\"";
    let releases = |value: &str| floor(&format!("law = \"transition\"\nreleases = {value}\n{wall}"));
    assert_eq!(
        releases("[«\"wal\"]"),
        "contact `floor` releases `wal`, a contact that does not exist / did you mean `wall`?"
    );
    assert_eq!(releases("[\"wall\", «\"floor\"]"), "contact `floor` releases `floor`, itself / other contacts: wall");
    assert!(releases("«\"wall\"").starts_with("expected a list of names of contacts, found a string"));
    assert!(releases("[«1]").starts_with("expected a string in quotes"));
    assert_eq!(
        floor("law = \"transition\"\nreleases = [«\"floor\"]"),
        "contact `floor` releases `floor`, itself / the model has no other contacts; law `plastic` releases none"
    );
}

#[test]
fn gaps_are_functions_of_the_configuration() {
    let help = "write an expression of coordinates, as in `gap = \"y - r\"`";
    assert_eq!(
        said("[parameters]\nr = 2\n[contacts.floor]\ngap = «\"2*r\"\n"),
        format!("the gap of `floor` is 4 everywhere: it depends on no coordinate / {help}")
    );
    assert!(said("[contacts.floor]\ngap = «1\n").starts_with("the gap of `floor` is 1 everywhere"));
    let switched = said("[parameters]\nr = 0\n[contacts.floor]\ngap = «\"r*y + 1\"\n");
    assert!(switched.starts_with("the gap of `floor` is 1 everywhere"), "{switched}");
    assert_eq!(
        said("[parameters]\nr = 2\n[contacts.a]\ngap = \"x + r\"\n[contacts.b]\ngap = «\"2 + x\"\nactive = \"y\"\n"),
        "contact `b` has the same gap as contact `a` / remove one of them, or give each its own `active`; \
         the other is on line 8"
    );
}
