//! Points of a sweep.

use carom_sweep::{Axis, Points, Value, Values};

fn axes(texts: &[&str]) -> Vec<Axis> {
    texts.iter().map(|text| Axis::parse(text).unwrap()).collect()
}

fn numbers(points: &Points, k: usize) -> Vec<f64> {
    points.get(k).iter().map(|value| value.number().unwrap()).collect()
}

#[test]
fn the_first_axis_of_a_grid_is_the_slowest() {
    let grid = Points::Grid(axes(&["a=0:1:3", "b=1,2*pi"]));
    assert_eq!(grid.len(), 6);
    let all: Vec<Vec<f64>> = (0..6).map(|k| numbers(&grid, k)).collect();
    let tau = 2.0 * std::f64::consts::PI;
    assert_eq!(all, [[0.0, 1.0], [0.0, tau], [0.5, 1.0], [0.5, tau], [1.0, 1.0], [1.0, tau]]);
}

#[test]
fn ends_are_exact() {
    let Axis { values, .. } = Axis::parse("theta = -pi/3 : 0.1 : 7").unwrap();
    assert_eq!(values.get(0), Value::Number(-std::f64::consts::PI / 3.0));
    assert_eq!(values.get(6), Value::Number(0.1));
    assert_eq!(Axis::parse("x=log:1e-3:10:5").unwrap().values.get(4), Value::Number(10.0));
    assert_eq!(Axis::parse("x=2:3:1").unwrap().values.get(0), Value::Number(2.0));
    assert_eq!(Axis::parse("x=max(1,2),3").unwrap().values, Values::Listed(vec![2.0, 3.0]));
}

#[test]
fn random_points_depend_on_their_seed_and_number_alone() {
    let random = |count, seed| Points::Random { axes: axes(&["a=0:1", "b=log:1:100"]), count, seed };
    let (few, many, other) = (random(10, 3), random(1000, 3), random(10, 4));
    assert!((0..10).all(|k| few.get(k) == many.get(k)));
    assert!((0..10).all(|k| few.get(k) != other.get(k)));
    let all: Vec<Vec<f64>> = (0..1000).map(|k| numbers(&many, k)).collect();
    assert!(all.iter().all(|point| (0.0..1.0).contains(&point[0]) && (1.0..100.0).contains(&point[1])));
    // Uniform: the means of a and of log10(b)/2 are 1/2, with a deviation of 1/sqrt(12 N) = 0.009.
    let mean = |value: &dyn Fn(&Vec<f64>) -> f64| all.iter().map(value).sum::<f64>() / 1000.0;
    assert!((mean(&|point| point[0]) - 0.5).abs() < 0.03);
    assert!((mean(&|point| point[1].log10() / 2.0) - 0.5).abs() < 0.03);
}

#[test]
fn tables_have_a_column_per_name() {
    let table = Points::from_csv("x, \"x'\",method\n1,2*pi,midpoint\n\n3,4,verlet\n").unwrap();
    assert_eq!((table.len(), table.names()), (2, vec!["x", "x'", "method"]));
    assert_eq!(table.get(1), [Value::Number(3.0), Value::Number(4.0), Value::Word("verlet".to_owned())]);
    let wrong = Points::from_csv("x,y\n1,2\n1\n").unwrap_err().to_string();
    assert_eq!(wrong, "line 3 of the points: it has 1 values for 2 names");
    assert!(Points::from_csv("x\n1\ntwo\n").unwrap_err().to_string().contains("line 3"));
}

#[test]
fn what_is_no_set_of_points_is_refused() {
    for text in ["x", "=1", "x=", "x=1:2:0", "x=1:2:3:4", "x=log:0:1:3", "x=1,,2", "x=1/0", "x=y:1:2"] {
        assert!(Axis::parse(text).is_err(), "{text}");
    }
    let refused = |points: Points| points.check().unwrap_err().to_string();
    assert!(refused(Points::Grid(axes(&["x=1:2"]))).contains("from:to:count"));
    assert!(refused(Points::Random { axes: axes(&["x=1:2:3"]), count: 5, seed: 1 }).contains("from:to"));
    assert!(refused(Points::Grid(axes(&["x=1,2", "x=3"]))).contains("twice"));
    assert!(refused(Points::Grid(axes(&["x=0:1:100000", "y=0:1:100000"]))).contains("limit"));
}
