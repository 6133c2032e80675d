//! The variational jump: energies of the segments before and after an impact are balanced.
//!
//! Pekarek (2010), (3.2.3) and (3.2.4), (3.3.1) and (3.3.2): the momentum along the surface is continuous
//! but for the impulse of the law, and
//!
//! ```text
//! D_3 Ld(before) = D_3 Ld(after) - F_t,
//! ```
//!
//! so that the normal impulse follows from a segment that has not been taken yet. For a rule that is one
//! Newton solve ([`Opening::Impact`]); a composition is repeated with other impulses until its energy fits.

use crate::contact::{ContactStepper, Mode};
use crate::error::StepError;
use crate::landing::Given;
use crate::reaching::AT_THE_END;
use crate::segment::{Closure, Opening};
use carom_impact::{Arrival, Departed, Departure, Watch};

/// Repetitions of a composition.
const MAX_REPETITIONS: usize = 40;

impl ContactStepper {
    /// The first segment after an impact, with the momentum that balances the energies of both sides.
    pub(crate) fn depart(
        &mut self,
        departure: &Departure,
        watch: &Watch,
        h: f64,
    ) -> Result<Option<Arrival>, StepError> {
        if !self.energy.is_finite() {
            return Ok(None);
        }
        let Some(loss) = departure.loss else { return self.depart_and_report(watch, h).map(Some) };
        if self.modes[self.current].stepper.nodes().is_none() {
            return self.depart_by_repetition(departure, loss, watch, h);
        }
        // A step with the momentum of the law is the guess, and shows whether there is a contact ahead.
        self.stepper().step(h)?;
        let contact = self.first_contact(watch, h)?;
        if contact.is_none() {
            self.draw(h)?;
        }
        let nodes = self.modes[self.current].stepper.nodes().unwrap_or(&[]).to_vec();
        let part = contact.map_or(1.0, |found| found.at);
        let guess = self.guess(&nodes, part);
        self.stepper().undo();
        let closure = contact.map_or(Closure::Grid, |found| Closure::Contact(found.surface));
        let index = self.landing((Opening::Impact, closure))?;
        let (tolerance, energy) = (self.options.tolerance, self.energy - loss);
        let Mode { stepper, landings, .. } = &mut self.modes[self.current];
        let landing = &mut landings[index];
        let given = Given { state: stepper.state(), duration: part * h, energy, direction: &departure.direction };
        let solved = landing.solve(&given, &guess, tolerance);
        let (duration, nu) = (landing.duration(), landing.nu());
        // Beyond half of the impulse it is another branch.
        if solved.is_err() || nu.is_nan() || nu.abs() > 0.5 || duration <= 0.0 || duration > h * (1.0 + AT_THE_END) {
            return Ok(None);
        }
        let p: Vec<f64> = stepper.state().p.iter().zip(&departure.direction).map(|(p, d)| p + nu * d).collect();
        let start = stepper.state().t;
        let departed = self.departed_with(p, energy)?;
        let Mode { stepper, landings, .. } = &mut self.modes[self.current];
        let landing = &mut landings[index];
        stepper.mark();
        stepper.arrive(landing)?;
        let after = landing.change[landing.change.len() - 1];
        // The balance may have slowed the bodies so that they come back at once.
        self.draw_cubic(duration)?;
        let again = self.along_path(watch, duration, contact.map(|found| found.surface));
        if again.is_some_and(|again| again.at < 1.0 - AT_THE_END) {
            self.stepper().undo();
            return Ok(None);
        }
        self.departed = Some(Departed { energies: (self.energy, after), ..departed });
        Ok(Some(match contact {
            None => Arrival::End,
            Some(found) => Arrival::Contact {
                surface: found.surface,
                bracket: (start + found.bracket.0 * h, start + found.bracket.1 * h),
                iterations: 1,
            },
        }))
    }

    /// The state right after the impact.
    fn departed_with(&mut self, mut p: Vec<f64>, energy: f64) -> Result<Departed, StepError> {
        let stepper = &mut self.modes[self.current].stepper;
        let (q, t, mut v) = (stepper.state().q.clone(), stepper.state().t, stepper.velocity()?.to_vec());
        let m = stepper.legendre().constraint_count();
        stepper.legendre().velocity(&q, t, &mut p, &mut v, &mut vec![0.0; m])?;
        Ok(Departed { p, v, energies: (energy, energy), is_report: false })
    }

    /// A plastic impact has no energy balance (3.4.7); the energies of both sides are reported (3.4.4).
    fn depart_and_report(&mut self, watch: &Watch, h: f64) -> Result<Arrival, StepError> {
        let (p, v) = (self.stepper().state().p.clone(), self.stepper().velocity()?.to_vec());
        let arrival = self.step_or_land(watch, h)?;
        let energies = (self.energy, self.stepper().state().discrete_energy);
        self.departed = Some(Departed { p, v, energies, is_report: true });
        Ok(arrival)
    }

    /// The same for compositions, by secants in the size of the impulse.
    fn depart_by_repetition(
        &mut self,
        departure: &Departure,
        loss: f64,
        watch: &Watch,
        h: f64,
    ) -> Result<Option<Arrival>, StepError> {
        // The energy of a composition at its start is not known where forces act or time enters.
        if self.dynamics.is_forced() || self.dynamics.is_time_dependent() {
            return Ok(None);
        }
        let start = self.stepper().state().clone();
        let wanted = self.energy - loss;
        let attempt = |all: &mut Self, nu: f64| -> Result<(f64, Arrival), StepError> {
            let p: Vec<f64> = start.p.iter().zip(&departure.direction).map(|(p, d)| p + nu * d).collect();
            all.stepper().start_phase(start.t, &start.q, &p)?;
            let arrival = all.step_or_land(watch, h)?;
            Ok((all.stepper().state().discrete_energy - wanted, arrival))
        };
        let (mut x, mut y) = (0.0, 1e-3);
        let (mut fx, _) = attempt(self, x)?;
        let (mut fy, mut arrival) = attempt(self, y)?;
        for _ in 0..MAX_REPETITIONS {
            let next = y - fy * (y - x) / (fy - fx);
            if !next.is_finite() || next.abs() > 0.5 {
                self.stepper().start_phase(start.t, &start.q, &start.p)?;
                return Ok(None);
            }
            let is_rounding = (next - y).abs() <= 1e-15;
            (x, fx) = (y, fy);
            y = next;
            (fy, arrival) = attempt(self, y)?;
            if is_rounding || fy == fx {
                break;
            }
        }
        let p: Vec<f64> = start.p.iter().zip(&departure.direction).map(|(p, d)| p + y * d).collect();
        let (mut tangent, mut v) = (p, self.stepper().velocity()?.to_vec());
        let m = self.stepper().legendre().constraint_count();
        self.stepper().legendre().velocity(&start.q, start.t, &mut tangent, &mut v, &mut vec![0.0; m])?;
        self.departed = Some(Departed { p: tangent, v, energies: (self.energy, fy + wanted), is_report: false });
        Ok(Some(arrival))
    }
}
