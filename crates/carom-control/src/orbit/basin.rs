//! Which states reach an orbit: a grid of starts, each followed for some steps, on all cores.

use super::error::OrbitError;
use super::setup::OrbitSetup;
use super::step::StepMap;
use carom_flow::FlowOptions;
use carom_linalg::max_abs;
use carom_model::Model;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What becomes of a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It comes to the orbit after so many steps.
    Reaches(usize),
    /// It goes on, but not to the orbit.
    Elsewhere,
    /// After so many steps there is no further one: a fall, or a state inside an obstacle.
    Fails(usize),
}

/// One axis of the grid.
#[derive(Clone, Debug, PartialEq)]
pub struct BasinAxis {
    /// What varies.
    pub name: String,
    /// From where to where.
    pub range: (f64, f64),
    /// How many values.
    pub count: usize,
}

impl BasinAxis {
    /// Value `k`, in the middle of its cell.
    pub fn value(&self, k: usize) -> f64 {
        self.range.0 + (k as f64 + 0.5) / self.count as f64 * (self.range.1 - self.range.0)
    }
}

/// How a basin is computed.
#[derive(Clone, Copy, Debug)]
pub struct BasinOptions {
    /// Most steps of a start.
    pub steps: usize,
    /// States that are nearer to the orbit than this part of it have reached it.
    pub nearness: f64,
    /// Tolerance of the flow.
    pub flow: FlowOptions,
    /// Number of threads; all cores if zero.
    pub threads: usize,
}

impl Default for BasinOptions {
    fn default() -> Self {
        let flow = FlowOptions { tolerance: 1e-10, ..FlowOptions::default() };
        Self { steps: 50, nearness: 1e-3, flow, threads: 0 }
    }
}

/// The fates of a grid of starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Basin {
    /// Both axes.
    pub axes: [BasinAxis; 2],
    /// Fates, row by row: the first axis is the faster one.
    pub fates: Vec<Fate>,
}

impl Basin {
    /// Follows all starts `start(x, y)`; `observe` hears how many are done, and may stop by returning false.
    pub fn new(
        model: &Model,
        setup: &OrbitSetup,
        orbit: &[f64],
        axes: [BasinAxis; 2],
        start: &(dyn Fn(f64, f64) -> Option<Vec<f64>> + Sync),
        options: BasinOptions,
        observe: &(dyn Fn(usize) -> bool + Sync),
    ) -> Result<Self, OrbitError> {
        let (width, height) = (axes[0].count, axes[1].count);
        let fates = Mutex::new(vec![Fate::Fails(0); width * height]);
        let (next, done, is_stopped) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if options.threads == 0 { cores } else { options.threads };
        let work = || -> Result<(), OrbitError> {
            let mut map = StepMap::new(model, setup, &[], options.flow)?;
            loop {
                let row = next.fetch_add(1, Ordering::Relaxed);
                if row >= height || is_stopped.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let y = axes[1].value(row);
                let found: Vec<Fate> = (0..width)
                    .map(|k| {
                        let state = start(axes[0].value(k), y);
                        state.map_or(Fate::Fails(0), |state| fate(&mut map, state, orbit, options))
                    })
                    .collect();
                if let Ok(mut fates) = fates.lock() {
                    fates[row * width..(row + 1) * width].copy_from_slice(&found);
                }
                let count = done.fetch_add(width, Ordering::Relaxed) + width;
                if !observe(count) {
                    is_stopped.store(true, Ordering::Relaxed);
                }
            }
        };
        std::thread::scope(|scope| -> Result<(), OrbitError> {
            let handles: Vec<_> = (0..threads.clamp(1, height.max(1))).map(|_| scope.spawn(work)).collect();
            // A thread that panics would be a bug; its rows count as failed.
            handles.into_iter().try_for_each(|handle| handle.join().unwrap_or(Ok(())))
        })?;
        let fates = fates.into_inner().unwrap_or_default();
        Ok(Self { axes, fates })
    }

    /// How many starts reach the orbit.
    pub fn reached(&self) -> usize {
        self.fates.iter().filter(|fate| matches!(fate, Fate::Reaches(_))).count()
    }
}

/// Follows one start.
fn fate(map: &mut StepMap, mut state: Vec<f64>, orbit: &[f64], options: BasinOptions) -> Fate {
    let free = map.setup().free.clone();
    let distance = |state: &[f64]| free.iter().map(|&i| (state[i] - orbit[i]).abs()).fold(0.0, f64::max);
    let near = options.nearness * max_abs(orbit).max(f64::MIN_POSITIVE);
    for k in 0..=options.steps {
        if distance(&state) <= near {
            return Fate::Reaches(k);
        }
        if k == options.steps {
            break;
        }
        match map.step(&state) {
            Ok(image) if max_abs(&image.state).is_finite() => state = image.state,
            _ => return Fate::Fails(k),
        }
    }
    Fate::Elsewhere
}
