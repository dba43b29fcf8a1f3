//! The properties: what must hold at every step, each with a name, a sentence and its number in the list of
//! invariants that the project keeps.
//!
//! It knows words. It deliberately judges nothing.

/// What must hold at every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// S6.
    OneLiveLease,
    /// S4, S5.
    TokensRise,
    /// S8.
    NothingEarly,
    /// S12.
    OneAcknowledgement,
    /// S23, S24, S29.
    LogReplays,
    /// S3, S6.
    Fenced,
    /// S6, S11.
    OwnerMayAct,
    /// S9.
    InOrder,
    /// S3, L1, L3.
    NothingHidden,
    /// S7.
    AttemptsCount,
    /// S2, L6.
    LeaseForm,
    /// S10.
    Disposition,
    /// S10, L4.
    DeadStayDead,
    /// S13.
    NoGhost,
    /// S1, S14.
    NothingLost,
    /// S15.
    Fidelity,
    /// S16.
    DetailsKept,
    /// S17.
    EnqueueOnce,
    /// S18.
    RedriveWhole,
    /// S11.
    RefusalIsSilent,
    /// S25.
    RecordsCount,
    /// S20.
    QueuesApart,
    /// S32.
    EffectsOnce,
    /// L2.
    WakesAtOnce,
    /// L2.
    WaitsEnd,
    /// L7.
    InTurn,
    /// L8.
    NoSpin,
    /// L5.
    Converges,
}

/// All properties, those of the page's lights first.
pub const PROPERTIES: [Property; 28] = [
    Property::OneLiveLease,
    Property::TokensRise,
    Property::NothingEarly,
    Property::OneAcknowledgement,
    Property::LogReplays,
    Property::Fenced,
    Property::OwnerMayAct,
    Property::InOrder,
    Property::NothingHidden,
    Property::AttemptsCount,
    Property::LeaseForm,
    Property::Disposition,
    Property::DeadStayDead,
    Property::NoGhost,
    Property::NothingLost,
    Property::Fidelity,
    Property::DetailsKept,
    Property::EnqueueOnce,
    Property::RedriveWhole,
    Property::RefusalIsSilent,
    Property::RecordsCount,
    Property::QueuesApart,
    Property::EffectsOnce,
    Property::WakesAtOnce,
    Property::WaitsEnd,
    Property::InTurn,
    Property::NoSpin,
    Property::Converges,
];

/// The five that a reader is always shown.
pub const HEADLINES: [Property; 5] = [
    Property::OneLiveLease,
    Property::TokensRise,
    Property::NothingEarly,
    Property::OneAcknowledgement,
    Property::LogReplays,
];

impl Property {
    /// The property in a few words.
    pub fn name(self) -> &'static str {
        self.words().0
    }

    /// The property as a sentence.
    pub fn sentence(self) -> &'static str {
        self.words().1
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Property::OneLiveLease => (
                "at most one live lease a task",
                "A task is never handed out while a lease of it is live.",
            ),
            Property::TokensRise => (
                "tokens only rise",
                "Each token is larger than all before it, over all queues and restarts.",
            ),
            Property::NothingEarly => (
                "nothing delivered early",
                "A task is not delivered, nor said to be visible, before its delay has passed.",
            ),
            Property::OneAcknowledgement => (
                "one acknowledgement a task",
                "A task is acknowledged at most once, and only by its newest live lease.",
            ),
            Property::LogReplays => (
                "log replays to this state",
                "The log alone rebuilds everything that a call can see, at every step.",
            ),
            Property::Fenced => (
                "stale leases are refused",
                "A lease that is over or not the newest may not check, extend or fail its task.",
            ),
            Property::OwnerMayAct => (
                "nothing refused without a reason",
                "Whoever holds the newest live lease may act, and no call fails while the log works.",
            ),
            Property::InOrder => (
                "first visible, first out",
                "A poll gets the task that became visible first, ties in enqueue order.",
            ),
            Property::NothingHidden => (
                "what is visible is found",
                "A poll finds nothing only if nothing is visible; a lease's task is visible at its deadline.",
            ),
            Property::AttemptsCount => (
                "attempts count one by one",
                "Deliveries are attempts 1, 2, 3 and so on, at most the maximum.",
            ),
            Property::LeaseForm => (
                "leases last one timeout",
                "A lease ends one visibility timeout after its poll or its last heartbeat.",
            ),
            Property::Disposition => (
                "failures go where they should",
                "A failure drops what no retry can help, parks the last attempt, and retries the rest.",
            ),
            Property::DeadStayDead => (
                "a dead task stays dead",
                "After its last attempt a task is a dead letter until it is redriven.",
            ),
            Property::NoGhost => (
                "no ghosts",
                "What was acknowledged, dropped or never enqueued is not held and not delivered.",
            ),
            Property::NothingLost => (
                "nothing lost",
                "Every task that was added and has not left is held, in exactly one phase.",
            ),
            Property::Fidelity => (
                "tasks come as they were enqueued",
                "Payload, visibility and max attempts of every delivery are those of the enqueue.",
            ),
            Property::DetailsKept => (
                "details reach the next attempt",
                "A delivery carries the last details of a heartbeat since the enqueue or redrive.",
            ),
            Property::EnqueueOnce => (
                "a held id is not enqueued again",
                "An enqueue of an id that the queue holds changes nothing.",
            ),
            Property::RedriveWhole => (
                "a redrive moves all or nothing",
                "A redrive moves exactly the dead letters it names, and none if one is unknown.",
            ),
            Property::RefusalIsSilent => (
                "a refused call changes nothing",
                "After a refusal everything that a call can see is as it was before.",
            ),
            Property::RecordsCount => (
                "one record a change",
                "A call that changes the queue writes one record; any other writes none.",
            ),
            Property::QueuesApart => (
                "queues stay apart",
                "A call on one queue changes nothing of another.",
            ),
            Property::EffectsOnce => (
                "each effect once",
                "When a task is acknowledged its effect has been applied, and each effect key once.",
            ),
            Property::WakesAtOnce => (
                "a waiting poll wakes at once",
                "A waiting poll is served at the instant at which a task is visible.",
            ),
            Property::WaitsEnd => (
                "a wait ends at its end",
                "A poll that found nothing answers once, at the end of its wait.",
            ),
            Property::InTurn => (
                "pollers are served in turn",
                "Of two polls that wait for one queue, the one that began first is served first.",
            ),
            Property::NoSpin => (
                "nobody spins",
                "Between two changes a waiting poll looks no more often than something is due.",
            ),
            Property::Converges => (
                "in the end all is done",
                "Once all faults have stopped, every task is acknowledged.",
            ),
        }
    }
}
