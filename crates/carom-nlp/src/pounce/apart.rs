//! POUNCE on a thread of its own, the program where it was.
//!
//! POUNCE takes its problem as `Rc<RefCell<dyn TNLP>>`, hence `'static`, where ours is a borrow that cannot leave
//! the calling thread either. So POUNCE gets owned copies of what never changes, and asks for the rest by
//! messages; meanwhile the calling thread answers. Each side ends when the other is gone: the calling thread at
//! the last message, which is always sent, the solver by unwinding as soon as nobody answers.

use crate::bridge::Bridge;
use crate::outcome::Multipliers;
use crate::quiet::contained;
use crate::solver::Progress;
use std::any::Any;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{Builder, scope, yield_now};
use std::time::{Duration, Instant};

/// Stack of the solver in bytes, four times that of most main threads. Pages count when they are touched.
const STACK: usize = 32 << 20;

/// Time during which a side looks for messages before it sleeps. Waking up takes longer than most small evaluations.
const AWAKE: Duration = Duration::from_micros(50);

/// What the solver tells the calling thread.
pub(super) enum Request {
    /// Objective and rows at a point.
    Values(Vec<f64>),
    /// Gradient and Jacobian at a point.
    Slopes(Vec<f64>),
    /// Hessian of the Lagrangian at a point, for a weight of the objective and multipliers of the rows.
    Curvature(Vec<f64>, f64, Vec<f64>),
    /// An iteration, and its point.
    Progress(Progress<'static>, Vec<f64>),
    /// The result, and its multipliers. Without answer.
    Final(Vec<f64>, Multipliers),
    /// Nothing more will come. Without answer.
    End,
}

/// Numbers, and whether all of them are finite.
pub(super) type Numbers = (Vec<f64>, bool);

/// The answer to the request of the same name.
pub(super) enum Answer {
    /// The objective if it is finite, and the rows.
    Values(Option<f64>, Numbers),
    /// Gradient and Jacobian.
    Slopes(Numbers, Numbers),
    /// Hessian.
    Curvature(Numbers),
    /// False if the observer asks to stop.
    Progress(bool),
}

/// The solver's end of the line.
pub(super) struct Line {
    requests: Sender<Request>,
    answers: Receiver<Answer>,
}

impl Line {
    /// Sends what has no answer.
    pub(super) fn tell(&self, request: Request) {
        if self.requests.send(request).is_err() {
            abandon();
        }
    }

    /// Sends a request and waits for the answer.
    pub(super) fn ask(&self, request: Request) -> Answer {
        self.tell(request);
        receive(&self.answers).unwrap_or_else(|| abandon())
    }
}

/// The next message, nothing if none will come.
fn receive<T>(messages: &Receiver<T>) -> Option<T> {
    let began = Instant::now();
    while began.elapsed() < AWAKE {
        match messages.try_recv() {
            Ok(message) => return Some(message),
            Err(TryRecvError::Empty) => yield_now(),
            Err(TryRecvError::Disconnected) => return None,
        }
    }
    messages.recv().ok()
}

/// Leaves a search that nobody waits for: the calling thread unwinds already.
fn abandon() -> ! {
    resume_unwind(Box::new("the program is gone"))
}

/// Runs `work` on another thread and answers its requests; a panic in it comes back as its payload.
///
/// Panics of the program and of the observer happen on the calling thread and go their way.
pub(super) fn apart<R: Send>(
    bridge: &mut Bridge<'_>,
    work: impl FnOnce(Line) -> R + Send,
) -> std::io::Result<Result<R, Box<dyn Any + Send>>> {
    let (requests, asked) = channel();
    let (answer, answers) = channel();
    scope(move |scope| {
        let end = requests.clone();
        let line = Line { requests, answers };
        let solver = Builder::new().name("pounce".to_owned()).stack_size(STACK).spawn_scoped(scope, move || {
            let result = contained(|| work(line));
            // Said aloud, in case POUNCE keeps its problem beyond its work. Nobody listens after a panic.
            end.send(Request::End).ok();
            result
        })?;
        serve(bridge, asked, answer);
        Ok(solver.join().flatten())
    })
}

/// Answers until the end. Owns its end of the line, so that the solver notices if it unwinds.
fn serve(bridge: &mut Bridge<'_>, asked: Receiver<Request>, answer: Sender<Answer>) {
    let (n, m) = (bridge.nlp.variable_ranges().len(), bridge.nlp.row_ranges().len());
    let (jacobian, hessian) = (bridge.nlp.jacobian_pattern().len(), bridge.nlp.hessian_pattern().len());
    let numbers = |count: usize, fill: &mut dyn FnMut(&mut [f64]) -> bool| {
        let mut numbers = vec![0.0; count];
        let finite = fill(&mut numbers);
        (numbers, finite)
    };
    while let Some(request) = receive(&asked) {
        let reply = match request {
            Request::Values(x) => {
                let rows = numbers(m, &mut |rows| bridge.rows(&x, rows));
                Answer::Values(bridge.objective(&x), rows)
            }
            Request::Slopes(x) => {
                let gradient = numbers(n, &mut |gradient| bridge.gradient(&x, gradient));
                Answer::Slopes(gradient, numbers(jacobian, &mut |entries| bridge.jacobian(&x, entries)))
            }
            Request::Curvature(x, weight, y) => {
                Answer::Curvature(numbers(hessian, &mut |entries| bridge.hessian(&x, weight, &y, entries)))
            }
            Request::Progress(progress, point) => {
                Answer::Progress(bridge.progress(Progress { point: &point, ..progress }))
            }
            Request::Final(point, multipliers) => {
                (bridge.point, bridge.multipliers) = (point, multipliers);
                continue;
            }
            Request::End => break,
        };
        if answer.send(reply).is_err() {
            break;
        }
    }
}
