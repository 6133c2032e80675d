//! Unknowns at nodes and midpoints, and the equations of motion there.

use crate::assembly::{Assembly, Inputs};
use crate::dmoc::{Place, constraints};
use crate::error::ControlError;
use crate::layout::PhaseLayout;
use crate::problem::ControlShape;
use carom_expr::{Graph, Id};
use carom_model::EquationsOfMotion;
use carom_nlp::Range;

/// Unknowns of a phase: node `k` is point `2 k`, the midpoint after it is point `2 k + 1`.
pub(super) struct Points {
    pub(super) q: Vec<Vec<u32>>,
    pub(super) v: Vec<Vec<u32>>,
    pub(super) a: Vec<Vec<u32>>,
    /// Multipliers of all constraints; forces are `-lambda`.
    pub(super) lambda: Vec<Vec<u32>>,
    /// Controls.
    pub(super) u: Vec<Vec<u32>>,
    /// Velocity corrections of each interval, of holonomic constraints that are no pins.
    pub(super) gamma: Vec<Vec<u32>>,
    /// Shares of the duration that have passed at each point.
    pub(super) shares: Vec<f64>,
}

impl Points {
    pub(super) fn new(place: &Place<'_>, assembly: &mut Assembly, own: &mut PhaseLayout) -> Result<Self, ControlError> {
        let phase = place.phase;
        let shape = phase.phase.shape;
        if shape == ControlShape::Constant {
            let (phase, method) = (phase.phase.name.clone(), "hermite-simpson".to_owned());
            let what = "jumps of controls at nodes; use the shape `samples` or `linear`";
            return Err(ControlError::Method { phase, method, what });
        }
        let coordinates = phase.system().coordinate_names();
        let inputs = phase.system().inputs();
        let mut points = Self {
            q: Vec::new(),
            v: Vec::new(),
            a: Vec::new(),
            lambda: Vec::new(),
            u: Vec::new(),
            gamma: Vec::new(),
            shares: Vec::new(),
        };
        for point in 0..=2 * own.mesh.len() {
            let stage = place.stage + (point / 2) as u32;
            let at = format!("{} / {}", phase.phase.name, name(point));
            let mut add = |what: &str, range: Range| assembly.variable(format!("{at} / {what}"), range, stage);
            let names = || coordinates.iter().enumerate();
            points.q.push(names().map(|(i, x)| add(x, phase.coordinate_range(i))).collect());
            points.v.push(names().map(|(i, x)| add(&format!("{x}'"), phase.rate_range(i))).collect());
            // Pinned coordinates do not accelerate.
            let acceleration = |i: usize| if phase.pinned[i].is_some() { Range::fixed(0.0) } else { Range::FREE };
            points.a.push(names().map(|(i, x)| add(&format!("{x}''"), acceleration(i))).collect());
            let forces = phase.dynamics.constraint_names.iter();
            points.lambda.push(forces.map(|g| add(&format!("force of {g}"), Range::FREE)).collect());
            points.u.push(inputs.iter().map(|input| add(&input.name, phase.range(&input.name))).collect());
            if point % 2 == 1 {
                let drifting = (0..phase.dynamics.constraints.len()).filter(|&number| !phase.is_pin[number]);
                let names = drifting.map(|number| &phase.dynamics.constraint_names[number]);
                points.gamma.push(names.map(|g| add(&format!("correction of {g}"), Range::FREE)).collect());
            }
        }
        let mut before = 0.0;
        for share in &own.mesh {
            points.shares.extend([before, before + 0.5 * share]);
            before += share;
        }
        points.shares.push(before);
        points.describe(own, shape);
        Ok(points)
    }

    /// Tells the layout where everything stands.
    fn describe(&self, own: &mut PhaseLayout, shape: ControlShape) {
        let nodes = |all: &[Vec<u32>]| all.iter().step_by(2).cloned().collect::<Vec<_>>();
        (own.q, own.v, own.lambda) = (nodes(&self.q), nodes(&self.v), nodes(&self.lambda));
        for k in 0..own.mesh.len() {
            let middle = 2 * k + 1;
            own.inner.push(vec![self.q[middle].clone()]);
            own.inner_v.push(vec![self.v[middle].clone()]);
            own.extra.push([&self.a[middle][..], &self.lambda[middle], &self.gamma[k]].concat());
            let places = if shape == ControlShape::Linear { vec![0, 2] } else { vec![0, 1, 2] };
            let input = |i: usize| places.iter().map(|place| self.u[2 * k + place][i]).collect();
            own.controls.push((0..self.u[2 * k].len()).map(input).collect());
        }
    }

    /// `M a + H^T lambda = b` everywhere; `g = 0`, `G v = 0`, `G a = c` at nodes.
    pub(super) fn motion(&self, place: &Place<'_>, assembly: &mut Assembly, own: &PhaseLayout) {
        let phase = place.phase;
        let (n, m) = (phase.dynamics.dimension(), phase.dynamics.constraint_count());
        constraints(place, assembly, own);
        let mut graph = phase.dynamics.graph.clone();
        let (a, lambda) = (graph.variables("[a]", n), graph.variables("[lambda]", m));
        let equations = EquationsOfMotion::new(&mut graph, &phase.dynamics);
        let mut balances = Vec::new();
        for i in 0..n {
            let inertia = graph.dot(&equations.mass[i * n..(i + 1) * n], &a);
            let column: Vec<Id> = (0..m).map(|row| equations.directions[row * n + i]).collect();
            let force = graph.dot(&column, &lambda);
            let sum = graph.add(inertia, force);
            balances.push(graph.sub(sum, equations.bias[i]));
        }
        let (mut curvatures, mut rates, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for row in (0..m).filter(|&row| !phase.is_pin[row]) {
            let jacobian = &equations.jacobian[row * n..(row + 1) * n];
            let change = graph.dot(jacobian, &a);
            curvatures.push(graph.sub(change, equations.curvature[row]));
            rates.push(graph.dot(jacobian, &phase.dynamics.v));
            names.push(phase.dynamics.constraint_names[row].clone());
        }
        let (inputs, scale) = self.inputs(place, &mut graph, own, [a, lambda]);
        let mut all = graph.substitute(&[balances, curvatures, rates].concat(), &scale);
        let rates = all.split_off(n + names.len());
        let everything = [assembly.kernel(graph.clone(), &inputs, None, &all)];
        let middle = [assembly.kernel(graph.clone(), &inputs, None, &all[..n])];
        let slopes = (!rates.is_empty()).then(|| assembly.kernel(graph, &inputs, None, &rates));
        let coordinates = phase.system().coordinate_names();
        for point in 0..self.q.len() {
            let stage = place.stage + (point / 2) as u32;
            let at = format!("{} / {}", phase.phase.name, name(point));
            let mut row = |what: String| assembly.row(format!("{at} / {what}"), Range::fixed(0.0), stage);
            let mut rows: Vec<u32> = coordinates.iter().map(|x| row(format!("motion of {x}"))).collect();
            let is_node = point.is_multiple_of(2);
            if is_node {
                rows.extend(names.iter().map(|g| row(format!("acceleration of {g}"))));
            }
            // At both ends velocities are taken care of with the other conditions there.
            let is_inside = is_node && point > 0 && point + 1 < self.q.len();
            let rate_rows: Vec<u32> = names.iter().filter(|_| is_inside).map(|g| row(format!("rate of {g}"))).collect();
            let (variables, data) = self.at(place, own, point);
            assembly.place(if is_node { &everything[0] } else { &middle[0] }, &variables, &data, &rows);
            if let (Some(slopes), true) = (&slopes, is_inside) {
                assembly.place(slopes, &variables, &data, &rate_rows);
            }
        }
    }

    /// All that a kernel at a point reads: state, acceleration, forces, controls, freed parameters, time; and
    /// what replaces time.
    pub(super) fn inputs(
        &self,
        place: &Place<'_>,
        graph: &mut Graph,
        own: &PhaseLayout,
        [a, lambda]: [Vec<Id>; 2],
    ) -> (Inputs, Vec<(Id, Id)>) {
        let (phase, dynamics) = (place.phase, &place.phase.dynamics);
        let [share, begins, duration] = ["[before]", "[begins]", "[T]"].map(|name| graph.variable(name));
        let elapsed = graph.mul(share, duration);
        let places = vec![(dynamics.time, graph.add(begins, elapsed))];
        let freed: Vec<Id> = phase.freed.iter().map(|&(_, id)| id).collect();
        let lists = [dynamics.q.clone(), dynamics.v.clone(), a, lambda, phase.inputs.clone(), freed];
        let mut inputs = Inputs { variables: lists.concat(), data: vec![share, begins] };
        if own.duration.is_some() {
            inputs.variables.push(duration)
        } else {
            inputs.data.push(duration)
        }
        (inputs, places)
    }

    /// Variables and data of a point, in the order of [`Self::inputs`].
    pub(super) fn at(&self, place: &Place<'_>, own: &PhaseLayout, point: usize) -> (Vec<u32>, [f64; 3]) {
        let lists = [&self.q, &self.v, &self.a, &self.lambda, &self.u].map(|list| &list[point]);
        let mut variables: Vec<u32> = lists.into_iter().flatten().copied().collect();
        variables.extend(place.freed());
        variables.extend(own.duration);
        (variables, [self.shares[point], place.phase.begins, place.phase.phase.duration.guess()])
    }
}

/// Name of a point.
pub(super) fn name(point: usize) -> String {
    if point.is_multiple_of(2) { format!("node {}", point / 2) } else { format!("middle of interval {}", point / 2) }
}
