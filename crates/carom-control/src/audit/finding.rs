//! Findings: what, where, the number against its limit.

use carom_nlp::Status;

/// Something that is wrong with a solution.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditFinding {
    /// What it is.
    pub kind: AuditKind,
    /// Phase or transition, if it belongs to one.
    pub place: Option<String>,
    /// Interval of the phase.
    pub interval: Option<usize>,
    /// Time.
    pub time: Option<f64>,
    /// The number.
    pub value: f64,
    /// Its limit.
    pub limit: f64,
}

/// What can be wrong with a solution.
#[derive(Clone, Debug, PartialEq)]
pub enum AuditKind {
    /// The solver did not converge.
    Status(Status),
    /// The optimality conditions do not hold.
    Optimality,
    /// The flow could not follow the controls.
    NotReplayed(String),
    /// The flow misses the next node.
    Mesh,
    /// The flow misses the end of a phase.
    EndState,
    /// The flow through all phases misses the end of a phase.
    ChainedState,
    /// The energy at the end of a phase differs.
    EndEnergy,
    /// A guard is not met, or at another time.
    Guard(String),
    /// The jump is not that of the law.
    Jump,
    /// The law has no jump for this state.
    NoJump(String),
    /// The next phase does not begin where the transition leads.
    NextStart,
    /// Work is not what the costs say.
    Work,
    /// A running cost is not what the program says.
    Cost(String),
    /// Work cancels within intervals, where costs do not see it.
    HiddenWork,
    /// The energy changes by other amounts than the work done.
    Balance,
    /// A contact that should be open is passed.
    Depth(String),
    /// A closed contact pulls.
    Pull(String),
    /// A contact sticks though its friction cannot hold it.
    Friction(String),
    /// A condition along the way is exceeded between the points where the program asks for it.
    Path(String),
}

impl AuditFinding {
    /// A finding about all phases.
    pub(crate) fn whole(kind: AuditKind, value: f64, limit: f64) -> Self {
        Self { kind, place: None, interval: None, time: None, value, limit }
    }

    /// A finding about a phase or a transition.
    pub(crate) fn at(kind: AuditKind, place: &str, value: f64, limit: f64) -> Self {
        Self { place: Some(place.to_owned()), ..Self::whole(kind, value, limit) }
    }

    /// The same with an interval and a time.
    pub(crate) fn during(self, interval: usize, time: f64) -> Self {
        Self { interval: Some(interval), time: Some(time), ..self }
    }
}

impl std::fmt::Display for AuditKind {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Status(status) => write!(formatter, "the solver did not converge ({status})"),
            Self::Optimality => write!(formatter, "the optimality conditions do not hold"),
            Self::NotReplayed(why) => write!(formatter, "the flow cannot follow the controls ({why})"),
            Self::Mesh => write!(formatter, "the mesh is too coarse: the flow misses the next node"),
            Self::EndState => write!(formatter, "the replayed phase ends elsewhere"),
            Self::ChainedState => write!(formatter, "replayed through all phases, the phase ends elsewhere"),
            Self::EndEnergy => write!(formatter, "the replayed phase ends with another energy"),
            Self::Guard(contact) => write!(formatter, "the replayed motion does not meet `{contact}` in time"),
            Self::Jump => write!(formatter, "the velocity after the impact is not that of the law"),
            Self::NoJump(why) => write!(formatter, "the law has no jump here ({why})"),
            Self::NextStart => write!(formatter, "the next phase begins elsewhere than the transition leads"),
            Self::Work => write!(formatter, "work along the motion is not what the costs say"),
            Self::Cost(name) => write!(formatter, "cost `{name}` along the motion is not what the program says"),
            Self::HiddenWork => write!(formatter, "work hides between the nodes: it cancels within intervals"),
            Self::Balance => write!(formatter, "the change of the energy is not the work done"),
            Self::Depth(contact) => write!(formatter, "the open contact `{contact}` is passed"),
            Self::Pull(contact) => write!(formatter, "the closed contact `{contact}` pulls"),
            Self::Friction(contact) => write!(formatter, "`{contact}` sticks beyond its friction"),
            Self::Path(condition) => write!(formatter, "`{condition}` is exceeded along the way"),
        }
    }
}

impl std::fmt::Display for AuditFinding {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(place) = &self.place {
            write!(formatter, "{place}: ")?;
        }
        write!(formatter, "{}", self.kind)?;
        if let (Some(interval), Some(time)) = (self.interval, self.time) {
            write!(formatter, " in interval {interval} at t = {time:.6}")?;
        }
        // Some findings are no matter of degree.
        if self.limit.is_nan() {
            return Ok(());
        }
        write!(formatter, ": {:.2e} > {:.1e}", self.value, self.limit)
    }
}
