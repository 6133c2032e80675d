//! The derivative of an optimal cost that is known in closed form.

use carom_control::{ControlProblem, CostKind};
use carom_control::{Duration, FreedParameter, Guess, Phase, SolveOptions, solve};
use carom_model::Model;
use carom_nlp::Range;
use std::sync::Arc;

/// A mass `m` moves by `d` in one second, from rest to rest, with the least squared force: the cost is `12 m^2 d^2`, and the
/// mass is `2 k`.
fn block(k: f64) -> (ControlProblem, Guess) {
    let text = r#"
        lagrangian = "0.5*m*x'^2"
        [parameters]
        k = 0.5
        m = "2*k"
        [coordinates]
        x = 0.0
        [inputs]
        u = { signal = 0.0 }
        [forces]
        x = "u"
    "#;
    let model = Model::from_text(text, "block.toml", &[]).unwrap();
    let phase = Phase::new("move", Arc::new(model.system), Duration::Fixed(1.0), 20)
        .start("x", Range::fixed(0.0))
        .start("x'", Range::fixed(0.0))
        .end("x", Range::fixed(1.0))
        .end("x'", Range::fixed(0.0));
    let problem = ControlProblem::new("block").phase(phase).cost("effort", 1.0, CostKind::Integral("u^2".to_owned()));
    let freed = FreedParameter { name: "k".to_owned(), range: Range::fixed(k), guess: Some(k) };
    let problem = ControlProblem { freed: vec![freed], ..problem };
    let guess = Guess::interpolate(&problem, &[]);
    (problem, guess)
}

#[test]
fn derivative_in_closed_form_through_a_parameter_that_follows() {
    let k = 0.8;
    let (problem, guess) = block(k);
    let options = SolveOptions { transcription: "gauss2".to_owned(), ..SolveOptions::default() };
    let solution = solve(&problem, &guess, &options, &mut |_| true).unwrap();
    assert!((solution.outcome.objective - 12.0 * 4.0 * k * k).abs() < 1e-7, "{}", solution.outcome.objective);
    let (name, slope) = &solution.sensitivities[0];
    assert_eq!(name, "k");
    assert!((slope - 12.0 * 8.0 * k).abs() < 1e-6, "{slope}");
}
