//! Velocity constraints: how their distributions grow, and which are holonomic in truth.

use carom_expr::Scope;
use carom_model::{Distribution, Model, SystemBuilder, Understanding, Verdict, understand};

/// A model of free particles with velocity constraints.
fn constrained(coordinates: &[(&str, f64)], constraints: &[&str], more: &str) -> Understanding {
    let kinetic: Vec<String> = coordinates.iter().map(|(name, _)| format!("{name}'^2")).collect();
    let start: Vec<String> = coordinates.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let omega: Vec<String> = constraints.iter().enumerate().map(|(i, omega)| format!("c{i} = \"{omega}\"")).collect();
    let text = format!(
        "lagrangian = \"0.5*({})\"\n[coordinates]\n{}\n{more}\n[velocity_constraints]\n{}\n",
        kinetic.join(" + "),
        start.join("\n"),
        omega.join("\n")
    );
    understand(&Model::from_text(&text, "model.toml", &[]).unwrap_or_else(|diagnostics| panic!("{diagnostics}")))
}

fn distribution(coordinates: &[(&str, f64)], constraints: &[&str]) -> Distribution {
    constrained(coordinates, constraints, "").distribution.unwrap()
}

fn codes(understanding: &Understanding) -> Vec<&str> {
    understanding.warnings.iter().map(|warning| warning.code).collect()
}

/// What is expected where nothing is special at the initial state.
fn expect(found: &Distribution, growth: &[usize], verdict: Verdict) {
    assert_eq!((found.growth.as_slice(), found.verdict), (growth, verdict), "{found:?}");
    assert_eq!(found.growth_at_start, growth, "{found:?}");
    assert!(!found.rank_changes, "{found:?}");
}

#[test]
fn without_velocity_constraints_there_is_nothing_to_say() {
    let rod = understand(
        &Model::from_text(
            "lagrangian = \"x'^2 + y'^2\"\n[coordinates]\nx = 1\ny = 0\n[constraints]\nrod = \"x^2 + y^2 - 1\"\n",
            "rod.toml",
            &[],
        )
        .unwrap(),
    );
    assert_eq!((rod.distribution, rod.frame), (None, None));
}

#[test]
fn a_sleigh() {
    for theta in [0.0, 0.3, std::f64::consts::FRAC_PI_2, std::f64::consts::PI, 1e6] {
        let place = [("x", 0.0), ("y", 0.0), ("theta", theta)];
        let found = constrained(&place, &["sin(theta)*x' - cos(theta)*y'"], "");
        expect(found.distribution.as_ref().unwrap(), &[2, 3], Verdict::Nonholonomic);
        assert_eq!(codes(&found), [""; 0]);
    }
}

#[test]
fn a_vertical_rolling_disk() {
    let place = [("x", 0.0), ("y", 0.0), ("ph", 0.0), ("th", 0.0)];
    let found = distribution(&place, &["x' - 0.5*th'*cos(ph)", "y' - 0.5*th'*sin(ph)"]);
    expect(&found, &[2, 3, 4], Verdict::Nonholonomic);
    assert_eq!((found.rank, found.dimension, found.constraint_rank), (2, 4, 2));
}

/// Two pairs of wheels under a board, turned against each other.
#[test]
fn a_snakeboard() {
    let place = [("x", 0.0), ("y", 0.0), ("th", 0.2), ("psi", 0.0), ("ph", 0.4)];
    let wheels =
        ["-sin(th + ph)*x' + cos(th + ph)*y' - cos(ph)*th'", "-sin(th - ph)*x' + cos(th - ph)*y' + cos(ph)*th'"];
    expect(&distribution(&place, &wheels), &[3, 4, 5], Verdict::Nonholonomic);
    // With the wheels across the board both say the same.
    let across = [("x", 0.0), ("y", 0.0), ("th", 0.2), ("psi", 0.0), ("ph", std::f64::consts::FRAC_PI_2)];
    let found = constrained(&across, &wheels, "");
    let rank = found.distribution.as_ref().unwrap();
    assert_eq!((rank.constraint_rank, rank.constraint_rank_at_start, rank.rank_changes), (2, 1, true));
    assert_eq!((rank.growth.as_slice(), rank.growth_at_start.as_slice()), (&[3, 4, 5][..], &[][..]));
    assert_eq!(codes(&found), ["dependent-constraint"]);
    assert!(found.warnings[0].message.contains("the rank of the constraints changes"));
}

/// 004, section 4.3.
#[test]
fn paper_a_pendulum_whose_constraint_is_holonomic_in_truth() {
    let text = "[parameters]\nm = 1\ng = 9.8\nl = 2\n\
        [coordinates]\ntheta = { initial = \"0.75*pi\", velocity = \"0.25*pi\" }\n\
        phi = { initial = 0, velocity = \"0.25*(pi + 0.5)*pi\" }\n\
        [energy]\nkinetic = \"0.5*m*l^2*(theta'^2 + phi'^2*sin(theta)^2)\"\npotential = \"m*g*l*cos(theta)\"\n\
        [velocity_constraints]\nguide = \"(pi + cos(theta)^2)*theta' - phi'\"\n";
    let found = understand(&Model::from_text(text, "pendulum.toml", &[]).unwrap());
    expect(found.distribution.as_ref().unwrap(), &[1], Verdict::Holonomic);
    assert_eq!(codes(&found), ["integrable"]);
    let warning = &found.warnings[0];
    assert_eq!(
        warning.message,
        "velocity constraint `guide` is holonomic in truth: a distribution of rank one is always integrable"
    );
    assert!(warning.help.as_ref().unwrap().contains("[constraints]"));
    assert_eq!(warning.line, 12);
}

#[test]
fn integrable_constraints() {
    // Exact, with an integrating factor, and with one that is not to be guessed.
    let place = [("x", 0.3), ("y", 0.4), ("z", 0.2)];
    for omega in ["y*x' + x*y' + z'", "y*x' - x*y'", "exp(x*y)*cos(z)*(z' - y*x' - x*y')", "x*x' + y*y' + z*z'"] {
        let found = constrained(&place, &[omega], "");
        expect(found.distribution.as_ref().unwrap(), &[2], Verdict::Holonomic);
        assert_eq!(codes(&found), ["integrable"]);
    }
    // Coefficients of which rounding leaves something.
    expect(&distribution(&place, &["z' - sin(pi)*x*y'"]), &[2], Verdict::Holonomic);
    // Small is not zero.
    expect(&distribution(&place, &["z' - 1e-9*x*y'"]), &[2, 3], Verdict::Nonholonomic);
}

#[test]
fn partly_integrable_constraints() {
    // A skate, and a coordinate that follows another.
    let place = [("x", 0.0), ("y", 0.0), ("theta", 0.1), ("s", 0.5), ("z", 0.0)];
    let skate = "sin(theta)*x' - cos(theta)*y'";
    let found = constrained(&place, &[skate, "s' - 2*theta*theta'"], "");
    expect(found.distribution.as_ref().unwrap(), &[3, 4], Verdict::PartlyHolonomic { hidden: 1 });
    assert_eq!(codes(&found), [""; 0]);
    // A disk whose heading is fixed, on a plane where something else slides.
    let place = [("x", 0.0), ("y", 0.0), ("th", 0.0), ("s", 0.0)];
    let fixed = distribution(&place, &["x' - 0.5*th'*cos(0.3)", "y' - 0.5*th'*sin(0.3)"]);
    expect(&fixed, &[2], Verdict::Holonomic);
}

#[test]
fn holonomic_constraints_take_their_part() {
    // A skate in space whose height is a function of the place.
    let place = [("x", 0.1), ("y", 0.2), ("z", 0.02), ("theta", 0.1)];
    let hill = "[constraints]\nhill = \"z - x*y\"\n";
    let found = constrained(&place, &["sin(theta)*x' - cos(theta)*y'"], hill).distribution.unwrap();
    expect(&found, &[2, 3], Verdict::Nonholonomic);
    assert_eq!((found.dimension, found.constraint_rank), (3, 2));
    // It is integrable on the surface, though not elsewhere.
    let place = [("x", 0.3), ("y", 0.5), ("z", 0.0), ("s", 0.0)];
    let table = "[constraints]\ntable = \"z\"\n";
    let found = constrained(&place, &["s' - z*x*y' - y'"], table).distribution.unwrap();
    expect(&found, &[2], Verdict::Holonomic);
}

#[test]
fn a_rank_that_changes_at_the_start() {
    let found = constrained(&[("x", 0.0), ("y", 0.0)], &["x*y'"], "");
    let rank = found.distribution.as_ref().unwrap();
    assert_eq!((rank.constraint_rank, rank.constraint_rank_at_start, rank.rank_changes), (1, 0, true));
    assert_eq!((rank.growth.as_slice(), rank.verdict), (&[1][..], Verdict::Holonomic));
    assert!(rank.growth_at_start.is_empty());
    assert_eq!(codes(&found), ["dependent-constraint", "integrable"]);
    // Away from there nothing is special.
    assert!(!distribution(&[("x", 1.0), ("y", 0.0)], &["x*y'"]).rank_changes);
}

#[test]
fn a_growth_that_is_slower_at_the_start() {
    let place = |x| [("x", x), ("y", 0.0), ("z", 0.0)];
    let martinet = distribution(&place(0.0), &["z' - x^2*y'"]);
    assert_eq!((martinet.growth.as_slice(), martinet.growth_at_start.as_slice()), (&[2, 3][..], &[2, 2, 3][..]));
    assert_eq!((martinet.verdict, martinet.rank_changes), (Verdict::Nonholonomic, false));
    expect(&distribution(&place(0.5), &["z' - x^2*y'"]), &[2, 3], Verdict::Nonholonomic);
    let flat = distribution(&place(0.0), &["z' - x^4*y'"]);
    assert_eq!(flat.growth_at_start, [2, 2, 2, 2, 3]);
}

/// Brackets of all lengths count: a car with trailers, as a chain.
#[test]
fn a_long_chain() {
    let place: Vec<(String, f64)> = (0..8).map(|i| (format!("x{i}"), 0.1 * f64::from(i))).collect();
    let place: Vec<(&str, f64)> = place.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let chain: Vec<String> = (2..8).map(|i| format!("x{i}' - x{}*x0'", i - 1)).collect();
    let chain: Vec<&str> = chain.iter().map(String::as_str).collect();
    expect(&distribution(&place, &chain), &[2, 3, 4, 5, 6, 7, 8], Verdict::Nonholonomic);
}

#[test]
fn large_systems_are_not_understood_for_ever() {
    let place: Vec<(String, f64)> = (0..60).map(|i| (format!("x{i}"), 0.1 * f64::from(i))).collect();
    let place: Vec<(&str, f64)> = place.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let rows: Vec<String> = (0..20).map(|i| format!("x{i}' - sin(x{})*x{}'", i + 20, i + 40)).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let found = distribution(&place, &rows);
    assert_eq!((found.verdict, found.rank), (Verdict::Unknown, 40));
    // Pairs of fields decide, where there are few enough.
    let found = distribution(&place[..48], &["x0' - sin(x1)*x2' - x3*x4'"]);
    assert_eq!((found.verdict, found.growth.as_slice()), (Verdict::Nonholonomic, &[47, 48][..]));
}

/// The fields of the sleigh and of the disk, declared in Rust.
#[test]
fn frames_of_fields() {
    let scope = Scope::default();
    let [x, y, theta] = ["x'", "y'", "theta'"].map(|name| scope.variable(name));
    let heading = scope.variable("theta");
    let lagrangian = (0.5 * (x.square() + y.square() + theta.square())).id();
    let zero = scope.constant(0.0);
    let drive = vec![heading.cos().id(), heading.sin().id(), zero.id()];
    let turn = vec![zero.id(), zero.id(), scope.constant(1.0).id()];
    let system = SystemBuilder::new("sleigh").coordinate("x").coordinate("y").coordinate("theta");
    let system = system.lagrangian(lagrangian).field("drive", drive).field("turn", turn);
    let system = system.build(scope.into_graph()).unwrap();
    let (dynamics, mut graph) = (system.dynamics(), system.dynamics().graph.clone());
    let found = Distribution::new(&dynamics, &[0.0, 0.0, 0.7], None, &mut graph).unwrap();
    expect(&found, &[2, 3], Verdict::Nonholonomic);
}

/// A sleigh with a frame in its file.
fn framed(fields: &str, theta: f64) -> Understanding {
    let text = format!(
        "lagrangian = \"0.5*(x'^2 + y'^2 + theta'^2)\"\n[coordinates]\nx = 0\ny = 0\ntheta = {theta}\n\
         [velocity_constraints]\nblade = \"sin(theta)*x' - cos(theta)*y'\"\n[frame]\n{fields}\nturn = {{ field = {{ theta = 1 }} }}\n"
    );
    understand(&Model::from_text(&text, "sleigh.toml", &[]).unwrap_or_else(|diagnostics| panic!("{diagnostics}")))
}

fn structure(understanding: &Understanding) -> Vec<(String, Option<String>)> {
    let frame = understanding.frame.as_ref().unwrap();
    let all = frame.structure.as_ref().unwrap().iter();
    all.map(|c| (format!("[{}, {}] {}", c.fields[0], c.fields[1], c.along), c.expression.clone())).collect()
}

#[test]
fn a_frame_of_orthogonal_fields() {
    let sleigh = framed("drive = { field = { x = \"cos(theta)\", y = \"sin(theta)\" } }", 0.4);
    let frame = sleigh.frame.as_ref().unwrap();
    assert!((frame.volume - 1.0).abs() < 1e-15 && frame.is_regular);
    assert_eq!(frame.has_constant_mass, Some(true));
    assert_eq!(structure(&sleigh), [("[drive, turn] blade".to_owned(), Some("1".to_owned()))]);
    expect(sleigh.distribution.as_ref().unwrap(), &[2, 3], Verdict::Nonholonomic);
}

#[test]
fn a_frame_that_degenerates() {
    // Solved for x': no frame where the blade points along y.
    let fields = "drive = { field = { x = \"cos(theta)^2\", y = \"sin(theta)*cos(theta)\" } }";
    let sleigh = framed(fields, 0.4);
    assert_eq!(sleigh.frame.as_ref().unwrap().has_constant_mass, Some(false));
    let names: Vec<String> = structure(&sleigh).into_iter().map(|entry| entry.0).collect();
    assert_eq!(names, ["[drive, turn] drive", "[drive, turn] blade"]);
    let across = framed(fields, std::f64::consts::FRAC_PI_2);
    let frame = across.frame.as_ref().unwrap();
    assert_eq!((frame.volume, frame.is_regular), (0.0, false));
    // The constraint knows nothing of it.
    expect(across.distribution.as_ref().unwrap(), &[2, 3], Verdict::Nonholonomic);
}
