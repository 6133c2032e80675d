//! From declarations to a system.

use super::declarations::{Declarations, Declared, Initial};
use super::document::Value;
use super::drawing::Drawings;
use super::expressions::Expressions;
use super::frame;
use super::names::{Meaning, NameTable};
use super::numbers::Numbers;
use super::orbit::OrbitSettings;
use super::order::order;
use super::roles::{Role, Uses};
use super::settings::Settings;
use super::source::{Place, Report};
use super::suggest::suggest;
use super::tree::{self, Built, LoopConstraint, View};
use super::{ContactOrigin, InitialState, Origin};
use crate::builder::SystemBuilder;
use crate::drawing::Primitive;
use crate::system::{Coordinate, Input, Parameter, System};
use carom_expr::Id;

/// Everything that a file describes.
pub(super) struct Parts {
    pub system: System,
    pub initial: InitialState,
    pub start: Start,
    pub settings: Settings,
    pub orbit: OrbitSettings,
    pub drawing: Vec<Primitive>,
    pub origin: Origin,
}

/// The initial quasivelocities, in the order of the frame.
pub(super) struct Start {
    pub quasivelocities: Vec<Parameter>,
    /// They determine the initial velocity.
    pub is_given: bool,
    /// The velocity constraints follow from the fields.
    pub is_derived: bool,
}

/// What positions may depend on.
pub(super) const STATE: Uses = Uses::COORDINATES;

/// Computes the parts; nothing if there are mistakes, which were reported.
pub(super) fn assemble(report: &mut Report, all: &Declarations<'_>, fallback_name: &str) -> Option<Parts> {
    let table = NameTable::new(report, all);
    let mut numbers = Numbers::new(report, &table, &all.parameters);
    let coordinates = coordinates(report, &mut numbers, all);
    let initial = initial_state(report, &mut numbers, all);
    let start = frame::start(report, &mut numbers, all);
    let settings = Settings::new(report, &mut numbers, &all.settings);

    let names = |list: &[Declared]| list.iter().map(|entry| entry.name.clone()).collect::<Vec<_>>();
    let q: Vec<String> = all.coordinates.iter().map(|coordinate| coordinate.name.clone()).collect();
    let expressions = Expressions::new(&table, &q, &names(&all.parameters), &names(&all.inputs));
    let mut assembly = Assembly { report, expressions, table: &table, numbers: &mut numbers };
    let mut built = assembly.tree(&all.tree);
    assembly.definitions(all, &built);
    assembly.springs(&all.tree.springs, &mut built);
    let loops = assembly.loops(&all.tree.loops, &built);

    let mut builder = SystemBuilder::new(all.name.as_deref().unwrap_or(fallback_name));
    if let Some(description) = &all.description {
        builder = builder.doc(description);
    }
    builder = coordinates.into_iter().fold(builder, SystemBuilder::coordinate_with);
    builder = parameters(all, assembly.numbers).into_iter().fold(builder, SystemBuilder::parameter_with);
    builder = assembly.lagrangian(all, &built, builder);
    builder = assembly.inputs_and_forces(all, &built, builder);
    builder = assembly.constraints(all, &loops, builder);
    builder = assembly.frame(all, builder);
    let planes = assembly.plane_contacts(&all.contacts, &built);
    let (contacts, gaps) = assembly.contacts(&all.contacts, &planes);
    builder = contacts.into_iter().fold(builder, SystemBuilder::contact);
    let orbit = assembly.orbit(all);
    let points = all.tree.points.iter().flat_map(|point| point.definitions());
    let defined = all.definitions.iter().map(|definition| definition.name.clone()).chain(points);
    for (index, name) in defined.enumerate() {
        builder = match assembly.expressions.definition(index) {
            Some(id) => builder.definition(&name, id),
            None => builder,
        };
    }
    let Assembly { report, mut expressions, numbers, .. } = assembly;
    let view = View::new(report, numbers, all.tree.world.view.as_ref(), &built);
    let is_drawn = all.is_drawn || !all.tree.is_given();
    let drawing = match is_drawn {
        true => {
            let (built, expressions) = (&mut built, &mut expressions);
            let (gaps, planes) = (&gaps, &planes);
            let mut drawings = Drawings { report, expressions, table: &table, numbers, gaps, planes, built, view };
            all.draw.iter().filter_map(|entry| drawings.read(entry)).collect()
        }
        false => tree::drawing(&mut expressions, &mut built, &view, &all.tree.springs, &planes),
    };

    let origin = origin(all, &loops, numbers, &expressions);
    for (name, formula) in formulas(report, all, &mut expressions) {
        builder = builder.parameter_formula(&name, formula);
    }
    if report.has_errors() {
        return None;
    }
    match builder.build(expressions.graph) {
        Ok(system) => Some(Parts { system, initial, start, settings, orbit, drawing, origin }),
        Err(error) => {
            frame::refuse(report, all, &origin, &error);
            None
        }
    }
}

fn coordinates(report: &mut Report, numbers: &mut Numbers<'_>, all: &Declarations<'_>) -> Vec<Coordinate> {
    let mut list = Vec::new();
    for declared in &all.coordinates {
        let what = format!("the period of `{}`", declared.name);
        let period = declared.period.as_ref().and_then(|value| numbers.positive(report, value, &what));
        let (name, unit, doc) = (declared.name.clone(), declared.unit.clone(), declared.doc.clone());
        list.push(Coordinate { name, unit, period, doc });
    }
    list
}

fn initial_state(report: &mut Report, numbers: &mut Numbers<'_>, all: &Declarations<'_>) -> InitialState {
    let mut number = |initial: &Initial, what: String| match initial {
        Initial::Given(value) => numbers.evaluate(report, value, &what).unwrap_or(0.0),
        Initial::Absent | Initial::Wrong => 0.0,
    };
    let mut state = InitialState { q: Vec::new(), v: Vec::new() };
    for coordinate in &all.coordinates {
        state.q.push(number(&coordinate.initial, format!("the initial value of `{}`", coordinate.name)));
        state.v.push(number(&coordinate.velocity, format!("the initial velocity of `{}`", coordinate.name)));
    }
    state
}

fn parameters(all: &Declarations<'_>, numbers: &Numbers<'_>) -> Vec<Parameter> {
    let values = numbers.values.iter().map(|value| value.unwrap_or(0.0));
    let listed = all.parameters.iter().zip(values);
    let parameter = |(declared, value): (&Declared, f64)| Parameter {
        name: declared.name.clone(),
        value,
        unit: declared.unit.clone(),
        doc: declared.doc.clone(),
    };
    listed.map(parameter).collect()
}

/// Parameters that follow from others.
fn formulas(report: &mut Report, all: &Declarations<'_>, expressions: &mut Expressions<'_>) -> Vec<(String, Id)> {
    let role = Role { name: "a parameter", allowed: Uses::NOTHING };
    let mut found = Vec::new();
    for declared in &all.parameters {
        let Some(value @ Value::Expression(_)) = &declared.value else { continue };
        // What is wrong with it was reported when its number was computed.
        let known = report.found.len();
        let formula = expressions.read(report, value, role);
        report.found.truncate(known);
        found.extend(formula.map(|formula| (declared.name.clone(), formula)));
    }
    found
}

/// Where the parts stand, for later remarks.
fn origin(
    all: &Declarations<'_>,
    loops: &[LoopConstraint],
    numbers: &Numbers<'_>,
    expressions: &Expressions<'_>,
) -> Origin {
    let place = |entry: &Declared| entry.value.as_ref().map_or(entry.place, Value::place);
    let of_lagrangian = all.lagrangian.as_ref().or(all.kinetic.as_ref()).map(place);
    let of_bodies = all.tree.bodies.first().map(|body| body.place);
    let of_joints =
        all.tree.bodies.iter().flat_map(|body| body.coordinates.iter().map(|(name, _)| (name.clone(), body.place)));
    let derived = all.derived_constraints();
    let derived = derived.iter().map(|constraint| constraint.place);
    let used = numbers.used.iter().zip(expressions.used()).map(|(number, expression)| *number || *expression);
    let unused = all.parameters.iter().zip(used).filter(|(_, used)| !used);
    Origin {
        lagrangian: of_lagrangian.or(of_bodies).unwrap_or_default(),
        forces: all.forces.iter().map(|entry| (entry.name.clone(), place(entry))).chain(of_joints).collect(),
        constraints: all.constraints.iter().map(place).chain(loops.iter().map(|own| own.place)).collect(),
        velocity_constraints: all.velocity_constraints.iter().map(place).chain(derived).collect(),
        fields: all.admissible().chain(all.complement()).map(|field| field.field).collect(),
        contacts: all.contacts.iter().map(ContactOrigin::new).collect(),
        unused: unused.map(|(parameter, _)| (parameter.name.clone(), parameter.place)).collect(),
    }
}

/// Turns declarations into expressions, kind by kind.
pub(super) struct Assembly<'a, 'b> {
    pub report: &'a mut Report,
    pub expressions: Expressions<'b>,
    pub table: &'b NameTable,
    /// Values of the parameters.
    pub numbers: &'a mut Numbers<'b>,
}

impl Assembly<'_, '_> {
    pub fn read(&mut self, entry: &Declared, role: Role) -> Option<Id> {
        let value = entry.value.as_ref()?;
        self.expressions.read(self.report, value, role)
    }

    /// Definitions of the file, after the places of points that they may use.
    fn definitions(&mut self, all: &Declarations<'_>, built: &Built) {
        let places = built.points.iter().flat_map(|point| match point.place {
            Some(place) => place.map(Some),
            None => [None; 3],
        });
        let places: Vec<Option<Id>> = places.collect();
        let order = order(self.report, &all.definitions, "definition");
        self.expressions.define(self.report, &all.definitions, &order, &places);
    }

    fn lagrangian(&mut self, all: &Declarations<'_>, built: &Built, builder: SystemBuilder) -> SystemBuilder {
        let allowed = STATE | Uses::RATES | Uses::TIME;
        let mut read =
            |entry: &Option<Declared>, name| entry.as_ref().and_then(|entry| self.read(entry, Role { name, allowed }));
        let lagrangian = read(&all.lagrangian, "the Lagrangian");
        let kinetic = read(&all.kinetic, "the kinetic energy");
        let potential = read(&all.potential, "the potential energy");
        let graph = &mut self.expressions.graph;
        let tree = all.tree.is_given().then_some(built.frames.lagrangian);
        // Kinetic minus potential energy, plus what else is given.
        let given = [tree, lagrangian, kinetic].into_iter().flatten().reduce(|sum, term| graph.add(sum, term));
        match (given, potential) {
            (Some(given), Some(potential)) => builder.lagrangian(graph.sub(given, potential)),
            (Some(given), None) => builder.lagrangian(given),
            (None, _) => builder,
        }
    }

    fn inputs_and_forces(
        &mut self,
        all: &Declarations<'_>,
        built: &Built,
        mut builder: SystemBuilder,
    ) -> SystemBuilder {
        let allowed = STATE | Uses::RATES | Uses::TIME;
        for input in &all.inputs {
            if let Some(signal) = self.read(input, Role { name: "the signal of an input", allowed }) {
                let (name, unit, doc) = (input.name.clone(), input.unit.clone(), input.doc.clone());
                builder = builder.input_with(Input { name, signal, unit, doc });
            }
        }
        for force in &all.forces {
            self.coordinate(&force.name, force.place, "there is a force on");
            if let Some(id) = self.read(force, Role { name: "a force", allowed: allowed | Uses::INPUTS }) {
                builder = builder.force(&force.name, id);
            }
        }
        built.forces.iter().fold(builder, |builder, (name, force)| builder.force(name, *force))
    }

    /// The variable of a coordinate; `what` begins the message if there is none.
    pub fn coordinate(&mut self, name: &str, place: Place, what: &str) -> Option<Id> {
        if let Some(Meaning::Coordinate(index)) = self.table.get(name) {
            return self.expressions.coordinate(index);
        }
        if !self.report.names_incomplete && !self.table.is_refused(name) {
            let known = self.table.known(|meaning| matches!(meaning, Meaning::Coordinate(_)));
            let help = suggest(name, "coordinates", &known);
            let message = format!("{what} `{name}`, which is not a coordinate");
            self.report.error("unknown-coordinate", place, message, Some(help));
        }
        None
    }
}
