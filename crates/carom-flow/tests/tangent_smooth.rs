//! The tangent flow of one smooth mode against closed forms.

use carom_expr::Backend;
use carom_flow::{FlowError, FlowOptions, Tangent};
use carom_model::{Closed, Dynamics, Hold, Model};

fn model(text: &str) -> Model {
    Model::from_text(text, "test.toml", &[]).expect("a model")
}

fn tangent(model: &Model, kept: &[&str], closed: &[Closed]) -> Tangent {
    let names: Vec<String> = kept.iter().map(|name| (*name).to_owned()).collect();
    let dynamics = Dynamics::keeping(&model.system, &|name| kept.contains(&name)).with_closed(closed);
    let options = FlowOptions { backend: Backend::Interpreter, ..FlowOptions::default() };
    Tangent::new(&dynamics, &names, options).expect("compiles")
}

fn close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= tolerance, "{found:?} instead of {expected:?}");
    }
}

const OSCILLATOR: &str = "
name = 'oscillator'
lagrangian = \"0.5*x'^2 - 0.5*k*x^2\"
[parameters]
k = 4.0
[inputs]
u = 0.0
[coordinates]
x = { initial = 1.0 }
[forces]
x = 'u'
";

#[test]
fn an_oscillator_with_its_stiffness_and_a_push() {
    // x = x0 cos wt + v0/w sin wt + u/k (1 - cos wt), w = sqrt k
    let (k, x0, v0, u, t) = (4.0_f64, 1.0, -0.5, 0.25, 3.0);
    let w = k.sqrt();
    let (c, s) = ((w * t).cos(), (w * t).sin());
    let end = tangent(&model(OSCILLATOR), &["k", "u"], &[]).run((0.0, &[x0], &[v0]), &[k, u], t).expect("runs");
    close(&end.q, &[x0 * c + v0 / w * s + u / k * (1.0 - c)], 1e-14);
    close(&end.state, &[c, s / w, -w * s, c], 1e-14);
    // d/dk = (d/dw) / (2 w), at u/k fixed, less u/k^2 (1 - cos wt).
    let dx = (-x0 * t * s - v0 / (w * w) * s + v0 / w * t * c + u / k * t * s) / (2.0 * w) - u / (k * k) * (1.0 - c);
    let v = |w: f64| -x0 * w * (w * t).sin() + v0 * (w * t).cos() + u / w * (w * t).sin();
    let dv = (v(w + 1e-5) - v(w - 1e-5)) / 2e-5 / (2.0 * w);
    close(&[end.kept[0], end.kept[1], end.kept[3]], &[dx, (1.0 - c) / k, s / w], 1e-14);
    close(&end.kept[2..3], &[dv], 1e-9);
}

#[test]
fn one_piece_or_many() {
    let model = model(
        "
name = 'double pendulum'
lagrangian = \"a'^2 + 0.5*b'^2 + a'*b'*cos(a - b) + m*(2*cos(a) + cos(b))\"
[parameters]
m = 9.81
[coordinates]
a = { initial = 1.0 }
b = { initial = 1.0 }
",
    );
    let mut flow = tangent(&model, &["m"], &[]);
    let (q, v, m) = ([1.0, 1.2], [0.3, -0.2], [9.81]);
    let whole = flow.run((0.0, &q, &v), &m, 2.0).expect("runs");
    let first = flow.run((0.0, &q, &v), &m, 0.7).expect("runs");
    let second = flow.run((0.7, &first.q, &first.v), &m, 1.3).expect("runs");
    let product = |a: &[f64], b: &[f64], k: usize| -> Vec<f64> {
        let columns = b.len() / k;
        (0..a.len() / k)
            .flat_map(|i| (0..columns).map(move |j| (0..k).map(|l| a[i * k + l] * b[l * columns + j]).sum()))
            .collect()
    };
    close(&product(&second.state, &first.state, 4), &whole.state, 1e-11);
    let kept: Vec<f64> = product(&second.state, &first.kept, 4).iter().zip(&second.kept).map(|(a, b)| a + b).collect();
    close(&kept, &whole.kept, 1e-11);
    // Differences agree as far as they can.
    let step = 1e-6;
    let moved = flow.run((0.0, &[1.0 + step, 1.2], &v), &m, 2.0).expect("runs");
    let back = flow.run((0.0, &[1.0 - step, 1.2], &v), &m, 2.0).expect("runs");
    close(&[(moved.q[0] - back.q[0]) / (2.0 * step)], &[whole.state[0]], 1e-7);
}

#[test]
fn a_pendulum_held_by_a_closed_contact_is_the_one_in_its_angle() {
    let free = model(
        "
name = 'pendulum in the plane'
lagrangian = \"0.5*(x'^2 + y'^2) - g*y\"
[parameters]
g = 9.81
[coordinates]
x = { initial = 0.6 }
y = { initial = -0.8 }
[contacts.rope]
gap = '1 - sqrt(x^2 + y^2)'
law = 'plastic'
",
    );
    let angle = model(
        "
name = 'pendulum'
lagrangian = \"0.5*a'^2 + g*cos(a)\"
[parameters]
g = 9.81
[coordinates]
a = { initial = 1.0 }
",
    );
    let (a, w, g) = (0.7_f64, 1.5, [9.81]);
    let chart = |a: f64, w: f64| ([a.sin(), -a.cos()], [w * a.cos(), w * a.sin()]);
    let (q, v) = chart(a, w);
    let closed = [Closed { surface: 0, hold: Hold::Slide { friction: 0.0, direction: 0.0 } }];
    let held = tangent(&free, &["g"], &closed).run((0.0, &q, &v), &g, 2.5).expect("runs");
    let plain = tangent(&angle, &["g"], &[]).run((0.0, &[a], &[w]), &g, 2.5).expect("runs");
    // d(x, y, x', y')/d(a, w) at both ends.
    let columns = |a: f64, w: f64| {
        let (s, c) = (a.sin(), a.cos());
        [[c, s, -w * s, w * c], [0.0, 0.0, c, s]]
    };
    let (before, after) = (columns(a, w), columns(plain.q[0], plain.v[0]));
    for (j, before) in before.iter().enumerate() {
        let found: Vec<f64> =
            held.state.chunks(4).map(|row| row.iter().zip(before).map(|(a, b)| a * b).sum()).collect();
        let expected: Vec<f64> =
            (0..4).map(|i| after[0][i] * plain.state[j] + after[1][i] * plain.state[2 + j]).collect();
        close(&found, &expected, 1e-12);
    }
    let expected: Vec<f64> = (0..4).map(|i| after[0][i] * plain.kept[0] + after[1][i] * plain.kept[1]).collect();
    close(&held.kept, &expected, 1e-12);
    // The multiplier is the force of the rope, N = w^2 + g cos a, and its rate -3 g w sin a along the motion.
    let rates = tangent(&free, &["g"], &closed).rates((0.0, &q, &v), &g).expect("evaluates");
    close(&rates.multipliers, &[-(w * w + 9.81 * a.cos())], 1e-13);
    close(&rates.multiplier_rates, &[3.0 * 9.81 * w * a.sin()], 1e-12);
}

#[test]
fn kinks_are_refused() {
    let kinked = model("name = 'k'\nlagrangian = \"0.5*x'^2 - abs(x)\"\n[coordinates]\nx = { initial = 1.0 }\n");
    let dynamics = Dynamics::keeping(&kinked.system, &|_| false);
    let refused = Tangent::new(&dynamics, &[], FlowOptions::default());
    assert!(matches!(refused, Err(FlowError::NotSupported { .. })));
}
