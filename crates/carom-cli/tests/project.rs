//! `carom project` and `carom simulate --projected`.

use crate::common;

use common::{Folder, Said, paper};
use serde_json::Value;

/// A particle over a gap of its own.
fn particle(gap: &str, law: &str) -> String {
    format!(
        r#"
[coordinates]
x = {{ initial = 0.1, velocity = 0.4 }}
y = {{ initial = 0.2 }}
[energy]
kinetic = "0.5*(x'^2 + y'^2)"
potential = "9.81*y"
[contacts.ground]
gap = "{gap}"
{law}
"#
    )
}

const ELASTIC: &str = "law = \"elastic\"";

/// What is said of the particle.
fn project(gap: &str, law: &str, more: &[&str]) -> Said {
    let folder = Folder::new();
    folder.write("particle.toml", &particle(gap, law));
    folder.carom(&[&["project", "particle.toml"], more].concat())
}

/// Holds if the refusal has this name and these words.
fn refused(said: Said, code: &str, words: &[&str]) {
    let said = said.ended(2);
    assert_eq!(said.out, "");
    assert!(said.err.starts_with(&format!("error[{code}]: ")), "{}", said.err);
    words.iter().for_each(|word| assert!(said.err.contains(word), "{word}: {}", said.err));
}

/// Holds if all checks do, and there is something to them.
fn verified(json: &Value) {
    assert_eq!((&json["valid"], &json["verification"]["member"]), (&true.into(), &true.into()));
    for check in json["verification"]["checks"].as_array().unwrap() {
        assert_eq!(check["holds"], true, "{check}");
        assert!(check["samples"].as_u64().unwrap() > 100, "{check}");
    }
}

fn near(value: &Value, expected: f64, tolerance: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() <= tolerance, "{value}, expected {expected}");
}

#[test]
fn paper_sinusoid_and_its_figure() {
    let folder = Folder::new();
    let said = folder.carom(&["project", &paper("000/sinusoid")]).ended(0);
    let expected = "\
Particle over a sinusoid: global projection through the normal form

contact            ground
gap                y + 2*sin(x)
replaced           y by the gap: d gap/dy >= 1, proved; the gap is linear in it
Delta              x: 2*cos(x)/(1 + 4*cos(x)*cos(x))
";
    assert!(said.out.starts_with(expected), "{}", said.out);
    assert!(said.out.contains("local, to compare  impact at x = 0.4, y = -0.778837"), "{}", said.out);
    assert!(said.out.ends_with("files  runs/sinusoid/projection.svg\n"), "{}", said.out);
    let picture = std::fs::read_to_string(folder.0.join("runs/sinusoid/projection.svg")).unwrap();
    for words in ["local, for one impact", "global, in normal form", "global, in the coordinates of the system"] {
        assert!(picture.contains(words), "{words}");
    }
    // The local projection loses samples, the global one does not.
    let told = |words: &str| picture.matches(words).count();
    assert_eq!((told("infeasible samples are not projected"), told("infeasible samples are projected")), (1, 2));
    // The least k is sup |Lambda|^2 = 4.
    let json = folder.carom(&["project", &paper("000/sinusoid"), "--json", "--no-plots"]).ended(0).json();
    verified(&json);
    near(&json["normal_form"]["least_k"], 4.0, 1e-5);
    near(&json["normal_form"]["k"], 8.0, 2e-5);
    assert_eq!((&json["normal_form"]["proved"], &json["normal_form"]["replaced"]), (&true.into(), &"y".into()));
}

#[test]
fn a_picture_is_the_same_again() {
    let folder = Folder::new();
    let pictures = ["a", "b"].map(|out| {
        folder.carom(&["project", &paper("002/particle"), "--impact", "x=1", "--out", out]).ended(0);
        std::fs::read_to_string(folder.0.join(out).join("projection.svg")).unwrap()
    });
    assert!(pictures[0] == pictures[1]);
}

#[test]
fn paper_bars() {
    let folder = Folder::new();
    // 36/L^2 with L = 1, printed.
    let said = folder.carom(&["project", &paper("000/bar"), "--json"]).ended(0);
    assert!(said.err.contains("no picture is drawn: samples of 3 coordinates"), "{}", said.err);
    let json = said.json();
    verified(&json);
    near(&json["normal_form"]["least_k"], 36.0, 1e-3);
    assert!(json["files"].as_array().unwrap().is_empty());
    let json = folder.carom(&["project", &paper("000/bar"), "--set", "L=2", "--json"]).ended(0).json();
    near(&json["normal_form"]["least_k"], 9.0, 1e-3);
    // The guide is solved for x; it is separable only if it is straight.
    let said = folder.carom(&["project", &paper("000/constrained-bar")]).ended(0);
    assert!(said.out.contains("solved for         x = 0.3*sin(y)"), "{}", said.out);
    assert!(said.out.contains("constraints and gap are not separable"), "{}", said.out);
    for (f, separable) in [("0.3", false), ("0", true)] {
        let set = format!("f={f}");
        let json = folder.carom(&["project", &paper("000/constrained-bar"), "--set", &set, "--json"]).ended(0).json();
        verified(&json);
        assert_eq!(json["verification"]["separability"]["separable"], separable, "f = {f}");
        assert_eq!(json["coordinates"], serde_json::json!(["y", "theta"]));
    }
}

#[test]
fn paper_pendulum() {
    let folder = Folder::new();
    let json = folder.carom(&["project", &paper("000/pendulum"), "--json"]).ended(0).json();
    verified(&json);
    let arc = 0.3f64.acos();
    near(&json["circle"]["feasible"][1], arc, 1e-12);
    let rest = std::f64::consts::PI - arc;
    near(&json["circle"]["b1"], (rest - 3.0 * arc) / (2.0 * rest), 1e-12);
    near(&json["circle"]["b3"], (arc - rest) / (2.0 * rest.powi(3)), 1e-12);
    assert!(folder.has("runs/pendulum/projection.svg"));
}

#[test]
fn paper_particle_over_a_cosine() {
    let folder = Folder::new();
    let json = folder.carom(&["project", &paper("002/particle"), "--json", "--samples", "2000"]).ended(0).json();
    verified(&json);
    near(&json["normal_form"]["least_k"], 1.0, 1e-5);
    near(&json["local_impact"]["y"], 0.0, 1e-12);
}

#[test]
fn systems_without_a_projection_are_refused_by_name() {
    let wall = format!("{ELASTIC}\n[contacts.wall]\ngap = \"x\"\nlaw = \"elastic\"");
    refused(project("y", &wall, &[]), "contact-count", &["2 contacts", "ground, wall"]);
    refused(project("1 - x^2 - y^2", ELASTIC, &[]), "not-monotonic", &["  x: the slope", "  y: the slope"]);
    refused(
        project("y - sin(x^2)", ELASTIC, &[]),
        "unbounded",
        &["no bound of |Lambda| was found: it is ", "limit the coordinates"],
    );
    refused(project("y", "law = \"newton\"\nrestitution = 0.5", &[]), "contact", &["has the law `newton`"]);
    refused(project("y + 2*sin(x)", ELASTIC, &["--k", "3.9"]), "small-factor", &["k = 3.9 is too small", "k > 4"]);
    refused(project("y + 2*sin(x)", ELASTIC, &["--coordinate", "x"]), "not-monotonic", &["2*cos(x)"]);
    refused(project("y", ELASTIC, &["--coordinate", "w"]), "unknown-coordinate", &["coordinates: x, y"]);
    refused(project("y", ELASTIC, &["--domain", "x=2:1"]), "bad-domain", &["[2, 1]"]);
    let folder = Folder::new();
    let said = folder.carom(&["project", &paper("000/pendulum"), "--set", "xc=0.8"]);
    refused(said, "short-arc", &["longer than a quarter of the period", "0.2048 of the period"]);
    // As JSON, too.
    let said = folder.carom(&["project", &paper("000/pendulum"), "--set", "xc=0.8", "--json"]).ended(2);
    assert_eq!((&said.json()["valid"], &said.json()["error"]["code"]), (&false.into(), &"short-arc".into()));
}

#[test]
fn options_that_mean_nothing_are_refused() {
    let folder = Folder::new();
    for (args, code, words) in [
        (&["--k", "3"][..], 2, "`k` has no meaning here: `theta` lives on a circle"),
        (&["--domain", "theta=0:3"], 2, "`domain` has no meaning here"),
        (&["--impact", "theta=1"], 2, "--impact: the local projection is drawn for two coordinates only"),
        (&["--domain", "theta=1"], 1, "write NAME=FROM:TO"),
        (&["--samples", "0"], 1, "--samples"),
        (&["--k", "w"], 2, "--k: `w` is not a number: unknown name `w`; known names: m, g, xc, speed"),
    ] {
        let said = folder.carom(&[&["project", &paper("000/pendulum")], args].concat()).ended(code);
        assert!(said.err.contains(words), "{args:?}: {}", said.err);
    }
    for (impact, words) in [("z=1", "coordinates: x, y"), ("x=1,y=5", "bodies do not touch there")] {
        let said = folder.carom(&["project", &paper("000/sinusoid"), "--impact", impact]).ended(2);
        assert!(said.err.contains(words), "{impact}: {}", said.err);
    }
}

#[test]
fn a_domain_bounds_what_is_not_bounded_everywhere() {
    let json = project("y - sin(x^2)", ELASTIC, &["--domain", "x=-1:pi/2", "--json"]).ended(0).json();
    verified(&json);
    assert_eq!(json["normal_form"]["proved"], true);
    // Images of points of a narrow domain leave it: there, nothing was proved.
    let args = ["--domain", "x=3:3.02", "--no-plots"];
    let said = project("y - sin(x^2)", ELASTIC, &args).ended(4);
    assert!(said.out.contains("invertible  FAILS"), "{}", said.out);
    assert!(said.err.starts_with("error[not-verified]: projection fails at x = 3.0"), "{}", said.err);
    let said = project("y - sin(x^2)", ELASTIC, &[&args[..], &["--json"]].concat()).ended(4);
    assert_eq!(said.json()["verification"]["member"], false);
    assert!(said.err.contains("projection fails at x = 3.0"), "{}", said.err);
}

/// The columns of a table as text.
fn column(folder: &Folder, file: &str, name: &str) -> Vec<f64> {
    let text = std::fs::read_to_string(folder.0.join(file)).unwrap();
    let place = text.lines().next().unwrap().split(',').position(|column| column == name).unwrap();
    text.lines().skip(1).map(|line| line.split(',').nth(place).unwrap().parse().unwrap()).collect()
}

#[test]
fn smooth_paths_are_motions_with_impacts() {
    for (model, coordinates) in [
        ("000/sinusoid", &["x", "y"][..]),
        ("000/bar", &["y", "x", "theta"]),
        ("000/constrained-bar", &["y", "x", "theta"]),
        ("000/pendulum", &["theta"]),
        ("002/particle", &["x", "y"]),
    ] {
        let folder = Folder::new();
        let run = |more: &[&str], out: &str| {
            let args = ["simulate", &paper(model), "--method", "taylor", "--csv", "--json", "--out", out];
            folder.carom(&[&args, more].concat()).ended(0).json()
        };
        let (smooth, bouncing) = (run(&["--projected"], "smooth"), run(&["--no-plots"], "bouncing"));
        assert_eq!(smooth["impact_count"], bouncing["impact_count"], "{model}");
        assert_eq!(smooth["path"]["crossing_count"], smooth["impact_count"], "{model}");
        assert!(smooth["path"]["largest_kink"].as_f64().unwrap() < 1e-12, "{model}: {}", smooth["path"]);
        for name in coordinates {
            let values =
                ["smooth", "bouncing"].map(|out| column(&folder, &format!("{out}/nodes.csv"), &format!("q.{name}")));
            let apart = values[0].iter().zip(&values[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart < 1e-9 && values[0].len() == values[1].len(), "{model}: {name} differs by {apart}");
        }
        // Where the path is feasible it is the motion, and it is not everywhere; circles count turns.
        let name = coordinates[0];
        let [t, z, outside] =
            ["t", &format!("z.{name}"), "outside"].map(|name| column(&folder, "smooth/path.csv", name));
        let q = column(&folder, "smooth/nodes.csv", &format!("q.{name}"));
        assert_eq!((t.len(), outside.contains(&1.0)), (q.len(), true), "{model}");
        let is_same = |k: usize| outside[k] > 0.0 || model == "000/pendulum" || z[k] == q[k];
        assert!((0..t.len()).all(is_same), "{model}");
        assert!(["path.parquet", "path.svg"].iter().all(|file| folder.has(&format!("smooth/{file}"))), "{model}");
        assert!(!folder.has("bouncing/path.parquet"));
    }
}

#[test]
fn a_smooth_path_is_summarised_and_drawn_again() {
    let folder = Folder::new();
    let said = folder.carom(&["simulate", &paper("000/pendulum"), "--projected", "--set", "speed=5", "--until", "3"]);
    let said = said.ended(0);
    for words in [
        "method       midpoint, along a smooth path",
        "projection   of the circle of theta onto an arc",
        "smooth path  crosses the boundary 6 times; z' jumps by at most ",
        "runs/pendulum/path.parquet",
        "runs/pendulum/path.svg",
    ] {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
    let text = std::fs::read_to_string(folder.0.join("runs/pendulum/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(manifest["settings"]["projected"]["kind"], "circle");
    let crossings = manifest["path"]["crossings"].as_array().unwrap();
    assert_eq!((crossings.len(), &crossings[0]["leaves"], &crossings[1]["leaves"]), (6, &true.into(), &false.into()));
    assert!(crossings.iter().all(|crossing| crossing["kink"].as_f64().unwrap() < 1e-12));
    folder.carom(&["plot", "runs/pendulum", "--out", "again"]).ended(0);
    let pictures = ["runs/pendulum", "again"].map(|path| std::fs::read(folder.0.join(path).join("path.svg")).unwrap());
    assert!(pictures[0] == pictures[1]);
    // A run without a path takes the earlier one away.
    folder.carom(&["simulate", &paper("000/pendulum"), "--no-plots"]).ended(0);
    assert!(!folder.has("runs/pendulum/path.parquet") && !folder.has("runs/pendulum/path.svg"));
}

#[test]
fn what_a_smooth_path_cannot_do_is_refused() {
    let folder = Folder::new();
    let model = paper("000/sinusoid");
    for (args, code, words) in [
        (&["--projected", "--stream"][..], 1, "'--projected' cannot be used with '--stream'"),
        (&["--projected", "--backward"], 1, "'--projected' cannot be used with '--backward'"),
        (&["--projected", "--jump", "pointwise"], 1, "'--projected' cannot be used with '--jump <NAME>'"),
        (&["--projected", "--max-impacts", "3"], 1, "'--projected' cannot be used with '--max-impacts <N>'"),
        (&["--k", "8"], 1, "--projected"),
        (&["--projected", "--k", "1"], 2, "error[small-factor]"),
        (&["--projected", "--method", "energy(midpoint)"], 2, "--projected with `energy(midpoint)`"),
    ] {
        let said = folder.carom(&[&["simulate", &model], args].concat()).ended(code);
        assert!(said.err.contains(words), "{args:?}: {}", said.err);
    }
    // A domain that the path leaves.
    let args = ["simulate", &model, "--projected", "--domain", "x=0:0.5", "--until", "1", "--no-plots", "--quiet"];
    let said = folder.carom(&args).ended(3);
    let words = "at t = 0.09 the path leaves the domain of the projection: x = 0.508000 is not in [0, 0.5]";
    assert!(said.err.contains(words), "{}", said.err);
}
