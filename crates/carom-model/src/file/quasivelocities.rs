//! The frame at the initial state: independent fields that the velocity constraints admit, and the
//! quasivelocities of the initial velocity.

use super::state::{State, UNREMARKABLE};
use crate::frame::Frame;
use crate::quasivelocity::Quasivelocities;
use carom_expr::Backend;
use carom_linalg::{dot, max_abs, rank};

/// Fields that are this close to dependent, against their sizes, count as such.
const DEPENDENT: f64 = 1e-10;

impl State<'_> {
    /// `v = w^i u_i(q)`, if quasivelocities are given.
    pub fn take_quasivelocities(&mut self) {
        let Some(frame) = self.dynamics.frame.clone().filter(|_| self.parts.start.is_given) else { return };
        let fields = self.evaluate(&frame.matrix());
        let mut v = vec![0.0; self.parts.initial.v.len()];
        for (w, field) in self.parts.start.quasivelocities.iter().zip(fields.chunks_exact(v.len().max(1))) {
            v.iter_mut().zip(field).for_each(|(rate, component)| *rate += w.value * component);
        }
        // Fields without a value are reported elsewhere.
        if v.iter().all(|rate| rate.is_finite()) {
            self.parts.initial.v = v;
        }
    }

    /// The quasivelocities of the velocity that it has become.
    pub fn find_quasivelocities(&mut self) {
        let Some(frame) = self.dynamics.frame.clone() else { return };
        let found = Quasivelocities::new(&self.dynamics, &self.dynamics.graph, &frame, Backend::Interpreter);
        let Ok(mut quasivelocities) = found else { return };
        let mut w = vec![0.0; quasivelocities.len()];
        if quasivelocities.of(&self.parts.initial.q, &self.parts.initial.v, &mut w) {
            let slots = self.parts.start.quasivelocities.iter_mut();
            slots.zip(w).for_each(|(slot, value)| slot.value = value);
        }
    }

    /// The fields are a frame where the motion begins, wherever else they are none.
    pub fn check_fields(&mut self) {
        let Some(frame) = self.dynamics.frame.clone() else { return };
        let n = self.dynamics.dimension();
        let mut fields = self.evaluate(&frame.matrix());
        // Fields may have units of very different sizes.
        for field in fields.chunks_exact_mut(n) {
            let size = max_abs(field).max(f64::MIN_POSITIVE);
            field.iter_mut().for_each(|component| *component /= size);
        }
        self.check_independent(&frame, &fields);
        self.check_admissible(&frame, &fields);
    }

    fn check_independent(&mut self, frame: &Frame, fields: &[f64]) {
        let n = self.dynamics.dimension();
        let is_independent = |count: usize| rank(&fields[..count * n], n, DEPENDENT) == count;
        if is_independent(frame.fields.len()) {
            return;
        }
        // The first field that depends on those before it, by bisection.
        let counts: Vec<usize> = (1..frame.fields.len()).collect();
        let at = counts.partition_point(|&count| is_independent(count));
        let (name, place) = (&frame.fields[at].name, self.parts.origin.fields[at]);
        let message = match at {
            0 => format!("field `{name}` is zero at the initial state"),
            _ => format!("field `{name}` depends on the fields before it at the initial state"),
        };
        let help = "a frame has independent fields: change its components, or start elsewhere".to_owned();
        self.report.error("dependent-fields", place, message, Some(help));
    }

    /// `omega(u_i) = 0`, where the constraints do not follow from the fields.
    fn check_admissible(&mut self, frame: &Frame, fields: &[f64]) {
        if self.parts.start.is_derived {
            return;
        }
        let n = self.dynamics.dimension();
        let forms = self.dynamics.clone().one_forms(&mut self.graph);
        let forms = self.evaluate(&forms);
        let constraints = self.parts.system.velocity_constraints();
        for (index, (field, row)) in frame.span().iter().zip(fields.chunks_exact(n)).enumerate() {
            let mut values =
                constraints.iter().zip(forms.chunks_exact(n)).map(|(omega, form)| (omega, form, dot(form, row)));
            let is_violated = |form: &[f64], value: f64| value.abs() > UNREMARKABLE * max_abs(form);
            let Some((omega, _, value)) = values.find(|(_, form, value)| is_violated(form, *value)) else { continue };
            let (field, constraint, place) = (&field.name, &omega.name, self.parts.origin.fields[index]);
            let message = format!(
                "field `{field}` violates velocity constraint `{constraint}` at the initial state: omega({field}) = {value:.3e}"
            );
            let help = "change its components, or write `admissible = false` if it only completes the frame".to_owned();
            self.report.error("not-admissible", place, message, Some(help));
        }
    }
}
