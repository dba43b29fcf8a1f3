//! One held task: what it is now, and the few ways in which it becomes something else.
//!
//! It knows its own fields and keeps them together in little memory. It deliberately stands nowhere: the
//! shelf keeps it in line, and which way it goes is told by `state`.

use crate::bytes::Bytes;
use crate::task::{Attempt, Phase, Task, TaskId, Text, Token};
use crate::time::{Timestamp, millis_up};
use alloc::boxed::Box;
use core::time::Duration;

/// The last error of a task that died because its last lease expired (decisions, failing and dying).
pub const LEASE_EXPIRED: &str = "lease expired";

/// A visibility of this many milliseconds, about 50 days, or more takes a place of its own.
const LONG: u32 = u32::MAX;

/// A task that the queue holds.
#[derive(Clone, Debug)]
pub struct Held {
    id: TaskId,
    payload: Bytes,
    /// What few tasks have.
    rare: Option<Box<Rare>>,
    sequence: u64,
    /// The newest lease's token, kept after it expired; zero before the first and once it was given up.
    token: Token,
    /// Visible: since when. Delayed: until when. Leased: until when. Dead: since when.
    at: Timestamp,
    /// With a newest lease: when it was handed out. Delayed: since when.
    from: Timestamp,
    /// The length of its leases; [`LONG`] if it is as long as that, and then it is among what is rare.
    visibility_ms: u32,
    max_attempts: u32,
    attempt: Attempt,
    phase: Phase,
    expired: bool,
}

#[derive(Clone, Debug, Default)]
struct Rare {
    details: Bytes,
    last_error: Text,
    long_visibility_ms: u64,
}

/// A task's newest lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Newest {
    /// Its fencing token.
    pub token: Token,
    /// When it was handed out.
    pub since: Timestamp,
    /// When it is over.
    pub deadline: Timestamp,
}

impl Held {
    /// A task that was just enqueued, its numbers resolved.
    pub(super) fn new(task: Task, sequence: u64, at: Timestamp) -> Self {
        let visibility_ms = millis_up(task.visibility);
        let mut held = Held {
            id: task.id,
            payload: task.payload,
            rare: None,
            sequence,
            token: Token(0),
            at,
            from: at,
            visibility_ms: u32::try_from(visibility_ms).unwrap_or(LONG),
            max_attempts: task.max_attempts,
            attempt: Attempt(0),
            phase: Phase::Visible,
            expired: false,
        };
        if held.visibility_ms == LONG {
            held.set_rare(|rare| rare.long_visibility_ms = visibility_ms);
        }
        held
    }

    /// Its id.
    pub fn id(&self) -> &TaskId {
        &self.id
    }

    /// The task as it was enqueued, its numbers resolved.
    pub fn task(&self) -> Task {
        Task {
            id: self.id.clone(),
            payload: self.payload.clone(),
            max_attempts: self.max_attempts,
            visibility: self.visibility(),
        }
    }

    /// The length of its leases.
    pub fn visibility(&self) -> Duration {
        let long = self.rare.as_ref().filter(|_| self.visibility_ms == LONG);
        Duration::from_millis(long.map_or(u64::from(self.visibility_ms), |rare| {
            rare.long_visibility_ms
        }))
    }

    /// Deliveries before the dead letters.
    pub fn max_attempts(&self) -> u32 {
        self.max_attempts
    }

    /// Its place among all enqueues: given once, kept through retries, death and redrive.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// What it is now.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Since when it is that: visible since, delayed since, leased since, dead since.
    pub fn since(&self) -> Timestamp {
        match self.phase {
            Phase::Visible | Phase::Dead => self.at,
            Phase::Delayed | Phase::Leased => self.from,
        }
    }

    /// Visible: since when. Delayed: until when. Leased: its deadline. Dead: since when.
    pub fn at(&self) -> Timestamp {
        self.at
    }

    /// The last delivery's number, 0 before the first.
    pub fn attempt(&self) -> Attempt {
        self.attempt
    }

    /// The newest lease, also after it expired; `None` before the first and once it was given up.
    pub fn newest(&self) -> Option<Newest> {
        // An expired lease's task is visible, or dead, since its deadline: `at` is the deadline still.
        (self.token != Token(0)).then_some(Newest {
            token: self.token,
            since: self.from,
            deadline: self.at,
        })
    }

    /// The last heartbeat's details.
    pub fn details(&self) -> &Bytes {
        static NONE: Bytes = Bytes::NONE;
        self.rare.as_ref().map_or(&NONE, |rare| &rare.details)
    }

    /// Why the last delivery ended, empty if none did.
    pub fn last_error(&self) -> &str {
        match &self.rare {
            _ if self.expired => LEASE_EXPIRED,
            Some(rare) => &rare.last_error,
            None => "",
        }
    }

    pub(super) fn visible(&mut self, at: Timestamp) {
        self.phase = Phase::Visible;
        self.at = at;
    }

    pub(super) fn leased(
        &mut self,
        token: Token,
        attempt: Attempt,
        now: Timestamp,
        deadline: Timestamp,
    ) {
        self.phase = Phase::Leased;
        (self.token, self.attempt) = (token, attempt);
        (self.from, self.at) = (now, deadline);
    }

    /// The lease goes on until a later deadline, with these details.
    pub(super) fn extended(&mut self, deadline: Timestamp, details: &Bytes) {
        self.phase = Phase::Leased;
        self.at = deadline;
        self.set_rare(|rare| rare.details = details.clone());
    }

    /// The lease reached its deadline, which is since when the task is what it is now.
    pub(super) fn expired(&mut self, phase: Phase) {
        self.phase = phase;
        self.expired = true;
        self.set_rare(|rare| rare.last_error = Text::default());
    }

    /// The worker gave the task up; it is delayed until `at`, or visible if that is now.
    pub(super) fn retrying(&mut self, now: Timestamp, at: Timestamp, error: &Text) {
        self.gave_up(error);
        self.phase = if at > now {
            Phase::Delayed
        } else {
            Phase::Visible
        };
        (self.from, self.at) = (now, at);
    }

    /// The worker gave the task up for the last time.
    pub(super) fn dead(&mut self, attempts: Attempt, at: Timestamp, error: &Text) {
        self.gave_up(error);
        self.phase = Phase::Dead;
        (self.attempt, self.at) = (attempts, at);
    }

    /// It was moved back from the dead letters.
    pub(super) fn redriven(&mut self, attempts: Attempt, at: Timestamp) {
        self.token = Token(0);
        self.expired = false;
        self.set_rare(|rare| (rare.details, rare.last_error) = (Bytes::NONE, Text::default()));
        self.attempt = attempts;
        self.visible(at);
    }

    fn gave_up(&mut self, error: &Text) {
        self.token = Token(0);
        self.expired = false;
        self.set_rare(|rare| rare.last_error = error.clone());
    }

    /// Changes what few tasks have, and keeps no box for a task that has none of it.
    fn set_rare(&mut self, change: impl FnOnce(&mut Rare)) {
        let mut rare = self.rare.take().map_or_else(Rare::default, |rare| *rare);
        change(&mut rare);
        let none =
            rare.details.is_empty() && rare.last_error.is_empty() && rare.long_visibility_ms == 0;
        self.rare = (!none).then(|| Box::new(rare));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_task_takes_little_memory() {
        assert_eq!(size_of::<Held>(), 96);
        assert_eq!(
            size_of::<Option<Held>>(),
            96,
            "an empty place costs no more"
        );
    }

    #[test]
    fn a_visibility_is_kept_however_long() {
        for millis in [
            1,
            u64::from(LONG) - 1,
            u64::from(LONG),
            u64::from(LONG) + 1,
            1 << 52,
        ] {
            let id = TaskId::new("a").expect("a short id");
            let visibility = Duration::from_millis(millis);
            let mut held = Held::new(
                Task {
                    visibility,
                    ..Task::new(id)
                },
                0,
                Timestamp::ZERO,
            );
            held.extended(Timestamp::ZERO, &Bytes::from("half"));
            held.redriven(Attempt(0), Timestamp::ZERO);
            assert_eq!(held.visibility(), visibility);
            assert!(held.details().is_empty());
        }
    }
}
