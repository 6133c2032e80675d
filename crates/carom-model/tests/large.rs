//! Models as large as the limits allow are read in bounded time.

use carom_model::{Model, understand};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Generous: a model of ordinary size takes milliseconds.
const MAX_TIME: Duration = Duration::from_secs(60);

fn timed(what: &str, text: &str) {
    let start = Instant::now();
    let result = Model::from_text(text, "large.toml", &[]);
    let reading = start.elapsed();
    let checked = result.map(|model| understand(&model));
    let code = checked.as_ref().err().map(|diagnostics| diagnostics.0[0].code);
    eprintln!("{what}: {} bytes, read in {reading:.2?}, with check {:.2?}, {code:?}", text.len(), start.elapsed());
    assert!(start.elapsed() < MAX_TIME, "{what}");
}

fn coordinates(count: usize) -> String {
    let mut text = String::from("[coordinates]\n");
    (0..count).for_each(|k| writeln!(text, "x{k} = {}", 0.1 * k as f64).unwrap());
    text
}

#[test]
fn a_chain_of_many_masses() {
    let terms: Vec<String> = (0..300).map(|k| format!("0.5*x{k}'^2 - 0.5*(x{k} - x{})^2", (k + 1) % 300)).collect();
    timed("masses", &format!("lagrangian = \"{}\"\n{}", terms.join(" + "), coordinates(300)));
}

#[test]
fn many_coordinates_with_constraints() {
    let terms: Vec<String> = (0..100).map(|k| format!("0.5*x{k}'^2")).collect();
    let constraints: String = (0..99).map(|k| format!("g{k} = \"x{}^2 - x{k}^2 - 0.01\"\n", k + 1)).collect();
    timed(
        "constraints",
        &format!("lagrangian = \"{}\"\n{}[constraints]\n{constraints}", terms.join(" + "), coordinates(100)),
    );
}

#[test]
fn definitions_that_double_each_time() {
    let mut text = String::from("lagrangian = \"0.5*d999'^2\"\n[coordinates]\nx = 0.1\n[definitions]\nd0 = \"x\"\n");
    (1..1000).for_each(|k| writeln!(text, "d{k} = \"d{}*d{} + sin(d{})\"", k - 1, k - 1, k - 1).unwrap());
    timed("doubling", &text);
}

#[test]
fn rates_of_every_definition() {
    let mut text = String::from(
        "[coordinates]\nx = 0.1\ny = 0.2\n[energy]\nkinetic = \"x'^2 + y'^2\"\n[definitions]\nd0 = \"x\"\n",
    );
    (1..500).for_each(|k| writeln!(text, "d{k} = \"sin(d{})*y + x^{k}\"", k - 1).unwrap());
    (1..500).for_each(|k| writeln!(text, "e{k} = \"d{k}'*d{}'\"", k - 1).unwrap());
    timed("rates", &text);
}

#[test]
fn the_longest_expressions() {
    let long = |k: usize| format!("\"{}0\"", (0..9000).map(|i| format!("x^{}.{i} + ", k + 2)).collect::<String>());
    let mut text =
        String::from("[coordinates]\nx = 0.1\n[energy]\nkinetic = \"x'^2 + d0'^2 + d7'^2\"\n[definitions]\n");
    (0..8).for_each(|k| writeln!(text, "d{k} = {}", long(k)).unwrap());
    timed("long", &text);
}

/// A third of what is allowed: dense projections cost the cube, 20 s for all of it.
#[test]
fn many_coordinates_and_constraints() {
    let terms: Vec<String> = (0..300).map(|k| format!("0.5*x{k}'^2")).collect();
    let sum: Vec<String> = (0..300).map(|k| format!("x{k}")).collect();
    let constraints: String = (0..299).map(|k| format!("g{k} = \"x{}^2 - x{k}^2 - 0.01\"\n", k + 1)).collect();
    let head = format!("lagrangian = \"{} - sin({})\"\n{}", terms.join(" + "), sum.join("+"), coordinates(300));
    timed("free", &head);
    timed("constrained", &format!("{head}[constraints]\n{constraints}"));
}

#[test]
fn many_contacts() {
    let terms: Vec<String> = (0..200).map(|k| format!("0.5*x{k}'^2")).collect();
    let head = format!("lagrangian = \"{}\"\n{}", terms.join(" + "), coordinates(200));
    let parameters: String = (0..1000).map(|k| format!("p{k} = {k}\n")).collect();
    let contacts = |level: i32| -> String {
        let contact = |k: usize| {
            let (a, b) = (k % 200, (7 * k + 1) % 200);
            format!(
                "[contacts.c{k}]\ngap = \"x{a}^2 + x{b}^3 + p{k} - {level}\"\nlaw = \"moreau\"\nfriction = \"p{k}\"\n\
                 restitution = 0.5\ntangent = \"x{a} - x{b}\"\nactive = \"p{k} + 1 + x{a}'\"\n"
            )
        };
        (0..1000).map(contact).collect()
    };
    timed("contacts", &format!("{head}[parameters]\n{parameters}{}", contacts(0)));
    timed("overlaps", &format!("{head}[parameters]\n{parameters}{}", contacts(100_000)));
    let closed = contacts(100_000).replace("law = ", "closed = true\nlaw = ");
    timed("closed", &format!("{head}[parameters]\n{parameters}{closed}"));
}

/// Reading a chain takes time in proportion to its length.
#[test]
fn chains_of_many_bodies() {
    for (axis, links) in [("\"y\"", 200), ("\"y\"", 1000), ("[1, 2, 3]", 1000)] {
        let mut text = String::new();
        for k in 0..links {
            let parent = if k == 0 { "world".to_owned() } else { format!("l{}", k - 1) };
            writeln!(
                text,
                "[bodies.l{k}]\nparent = \"{parent}\"\nat = [0, 0, -1]\njoint = \"revolute\"\naxis = {axis}"
            )
            .unwrap();
            writeln!(text, "coordinates = \"q{k}\"\nmass = 1\ninertia = [1, 1, 1]\n[points.p{k}]\nbody = \"l{k}\"")
                .unwrap();
        }
        let start = Instant::now();
        let result = Model::from_text(&text, "chain.toml", &[]);
        let code = result.as_ref().err().map(|diagnostics| diagnostics.0[0].code);
        eprintln!("{links} bodies: read in {:.2?}, {code:?}", start.elapsed());
        assert!(start.elapsed() < MAX_TIME, "{links} bodies");
    }
}
