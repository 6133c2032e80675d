//! Drawings of trees in model files: names of points, frames of bodies, solids, and what is drawn without any of them.

use crate::trees;

use carom_model::{Model, Point, Shape};
use trees::{close, load, numbers, value};

/// A rod that turns about y, with a plate on it, over a floor.
const TREE: &str = r#"
[parameters]
l = 2
[bodies.rod]
at = [1, 0, 0]
joint = "revolute"
axis = "y"
coordinates = "a"
mass = 1
centre = ["l", 0, 0]
[bodies.plate]
parent = "rod"
at = ["l", 0, 0]
joint = "prismatic"
axis = "z"
coordinates = "s"
mass = 1
centre = [0, 0, 0.5]
[points.tip]
body = "rod"
at = ["l", 0, 0.5]
[contacts.floor]
point = "tip"
plane = { normal = [-3, 0, 4], offset = -9 }
"#;

fn at(model: &Model, point: Point, q: &[f64]) -> [f64; 2] {
    point.map(|id| value(model, id, q, &[0.0; 2]))
}

/// A place of the rod in the world, in x and z.
fn on_rod(q: &[f64], [x, z]: [f64; 2]) -> [f64; 2] {
    let (sin, cos) = q[0].sin_cos();
    [1.0 + cos * x + sin * z, cos * z - sin * x]
}

fn same(found: [f64; 2], expected: [f64; 2]) {
    close(found[0], expected[0]);
    close(found[1], expected[1]);
}

#[test]
fn points_by_name_and_in_frames() {
    let model = load(&format!(
        "{TREE}[[draw]]\ntype = \"rod\"\nbody = \"rod\"\nfrom = [0, 0.3, \"l\"]\nto = \"tip\"\n\
         [[draw]]\ntype = \"polyline\"\npoints = [\"tip\", [1, 2], [1, 2, 3]]\n"
    ));
    let q = numbers(2);
    let Shape::Rod { from, to } = model.drawing[0].shape else { panic!("{:?}", model.drawing[0]) };
    same(at(&model, from, &q), on_rod(&q, [0.0, 2.0]));
    same(at(&model, to, &q), on_rod(&q, [2.0, 0.5]));
    let Shape::Polyline { points, .. } = &model.drawing[1].shape else { panic!("{:?}", model.drawing[1]) };
    same(at(&model, points[0], &q), on_rod(&q, [2.0, 0.5]));
    same(at(&model, points[1], &q), [1.0, 2.0]);
    same(at(&model, points[2], &q), [1.0, 3.0]);
}

#[test]
fn views() {
    let tip = |world: &str| {
        let text = format!("{TREE}[world]\n{world}\n[[draw]]\ntype = \"point\"\nat = [1, 2, 3]\n");
        let model = load(&text);
        let Shape::Point { at: point } = model.drawing[0].shape else { panic!("{:?}", model.drawing[0]) };
        at(&model, point, &[0.0; 2])
    };
    same(tip("view = \"yx\""), [2.0, 1.0]);
    same(tip("view = [-90, 0]"), [1.0, 3.0]);
    same(tip("view = [0, 90]"), [2.0, -1.0]);
    let (sin, cos) = 30.0_f64.to_radians().sin_cos();
    same(tip("view = [0, 30]"), [2.0, 3.0 * cos - sin]);
    // What does not move in planes y = const is seen from above and aside.
    let free = TREE.replace("axis = \"y\"", "axis = [0, 1, 0.1]");
    let model = load(&format!("{free}[[draw]]\ntype = \"point\"\nat = [1, 0, 0]\n"));
    let Shape::Point { at: point } = model.drawing[0].shape else { panic!("{:?}", model.drawing[0]) };
    close(at(&model, point, &[0.0; 2])[0], 60.0_f64.to_radians().sin());
}

#[test]
fn solids() {
    let model = load(&format!(
        "{TREE}[[draw]]\ntype = \"box\"\nbody = \"rod\"\nat = [\"l/2\", 0, 0]\nsize = [\"l\", 0.2, 0.4]\n\
         [[draw]]\ntype = \"cylinder\"\nbody = \"rod\"\nturn = [0, \"pi/2\", 0]\nlength = 3\nradius = 0.5\n\
         [[draw]]\ntype = \"ball\"\nat = \"tip\"\nradius = 0.3\n"
    ));
    let q = numbers(2);
    // Every edge of the box, and none but edges.
    let Shape::Polyline { points, closed: false } = &model.drawing[0].shape else { panic!("{:?}", model.drawing[0]) };
    assert_eq!(points.len(), 16);
    same(at(&model, points[0], &q), on_rod(&q, [0.0, -0.2]));
    same(at(&model, points[9], &q), on_rod(&q, [2.0, 0.2]));
    // The axis of the cylinder is x of the rod: its ends have the corners 1.5 along it.
    let Shape::Polyline { points, closed: false } = &model.drawing[1].shape else { panic!("{:?}", model.drawing[1]) };
    assert_eq!(points.len(), 32);
    same(at(&model, points[0], &q), on_rod(&q, [-1.5, -0.5]));
    same(at(&model, points[31], &q), on_rod(&q, [1.5, -0.5]));
    let Shape::Circle { center, radius } = model.drawing[2].shape else { panic!("{:?}", model.drawing[2]) };
    same(at(&model, center, &q), on_rod(&q, [2.0, 0.5]));
    close(value(&model, radius, &q, &q), 0.3);
}

#[test]
fn trees_are_drawn_without_a_drawing() {
    let model = load(TREE);
    let q = numbers(2);
    let shapes: Vec<&Shape> = model.drawing.iter().map(|primitive| &primitive.shape).collect();
    // The slope, the rod to its child and to its point, the plate to its centre.
    let [
        Shape::Ground { gap, plane },
        Shape::Rod { from, to },
        Shape::Rod { to: tip, .. },
        Shape::Rod { to: centre, .. },
    ] = shapes[..]
    else {
        panic!("{shapes:?}")
    };
    same(at(&model, *from, &q), [1.0, 0.0]);
    same(at(&model, *to, &q), on_rod(&q, [2.0, 0.0]));
    same(at(&model, *tip, &q), on_rod(&q, [2.0, 0.5]));
    same(at(&model, *centre, &q), on_rod(&q, [2.0, q[1] + 0.5]));
    let height = model.system.graph().evaluate(&[*gap], &[(plane[0], 2.0), (plane[1], 3.0)])[0];
    close(height, -0.6 * 2.0 + 0.8 * 3.0 + 9.0);
    // The floor is no line in another view, and a ground of its own is.
    assert!(
        load(&format!("{TREE}[world]\nview = \"xy\"\n"))
            .drawing
            .iter()
            .all(|p| !matches!(p.shape, Shape::Ground { .. }))
    );
    let own = load(&format!("{TREE}[[draw]]\ntype = \"ground\"\ncontact = \"floor\"\n"));
    assert!(matches!(own.drawing[..], [carom_model::Primitive { shape: Shape::Ground { .. }, .. }]));
}
