//! One queue's tasks, found by id, by place in line, by due time, by deadline, and by enqueue order.
//!
//! It knows where a task stands and keeps every index in step. It deliberately knows no record: which
//! way a task goes is told by `state`.

use crate::rules::{Place, Rules};
use crate::state::LEASE_EXPIRED;
use crate::task::{Attempt, Depth, Phase, Task, TaskId, Token};
use crate::time::Timestamp;
use crate::wake::{self, Wake, Why};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

/// A task that the queue holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The task, its numbers resolved.
    pub task: Task,
    /// Its place among all enqueues: given once, kept through retries, death and redrive.
    pub sequence: u64,
    /// What it is now.
    pub phase: Phase,
    /// Since when it is that: visible since, delayed since, leased since, dead at.
    pub since: Timestamp,
    /// When a delayed task is visible again; else the same as `since`.
    pub visible_at: Timestamp,
    /// Where a visible task stands in the line.
    place: Place,
    /// The last delivery's number, 0 before the first.
    pub attempt: Attempt,
    /// The newest lease, kept after it expired; `None` before the first and once it was given up.
    pub newest: Option<Newest>,
    /// The last heartbeat's details.
    pub details: Vec<u8>,
    /// Why the last delivery ended, empty if none did.
    pub last_error: String,
}

/// A task's newest lease.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Newest {
    /// Its fencing token.
    pub token: Token,
    /// When it was handed out.
    pub since: Timestamp,
    /// When it is over.
    pub deadline: Timestamp,
    /// Who asked for it.
    pub worker: String,
}

impl Held {
    /// A task that was just enqueued.
    pub(crate) fn new(task: Task, sequence: u64) -> Self {
        Held {
            task,
            sequence,
            phase: Phase::Visible,
            since: Timestamp::ZERO,
            visible_at: Timestamp::ZERO,
            place: (0, 0),
            attempt: Attempt(0),
            newest: None,
            details: Vec::new(),
            last_error: String::new(),
        }
    }

    fn deadline(&self) -> Timestamp {
        self.newest
            .as_ref()
            .map_or(self.since, |newest| newest.deadline)
    }
}

/// The tasks of one queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shelf {
    held: BTreeMap<u64, Held>,
    by_id: BTreeMap<TaskId, u64>,
    visible: BTreeMap<Place, u64>,
    delayed: BTreeSet<(Timestamp, u64)>,
    leased: BTreeSet<(Timestamp, u64)>,
    dead: BTreeSet<u64>,
}

impl Shelf {
    /// The task with this id.
    pub fn get(&self, task: &TaskId) -> Option<&Held> {
        self.held.get(self.by_id.get(task)?)
    }

    /// All tasks, in enqueue order.
    pub fn iter(&self) -> impl Iterator<Item = &Held> {
        self.held.values()
    }

    /// The dead ones, in enqueue order.
    pub fn dead(&self) -> impl Iterator<Item = &Held> {
        self.dead
            .iter()
            .filter_map(|sequence| self.held.get(sequence))
    }

    /// The visible task that is first in line.
    pub fn first_in_line(&self) -> Option<&Held> {
        let (_, sequence) = self.visible.first_key_value()?;
        self.held.get(sequence)
    }

    /// How many there are of each phase.
    pub fn depth(&self) -> Depth {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Depth {
            visible: count(self.visible.len()),
            delayed: count(self.delayed.len()),
            leased: count(self.leased.len()),
            dead: count(self.dead.len()),
        }
    }

    /// When time alone will change this queue next.
    pub fn wake(&self) -> Option<Wake> {
        self.wake_if(|_| true)
    }

    /// The same, for these reasons only.
    pub fn wake_if(&self, counts: impl Fn(Why) -> bool) -> Option<Wake> {
        let wake = |first: Option<&(Timestamp, u64)>, why| {
            let (at, sequence) = first.filter(|_| counts(why))?;
            Some(Wake {
                at: *at,
                why,
                task: self.held.get(sequence)?.task.id.clone(),
            })
        };
        wake::soonest(
            wake(self.delayed.first(), Why::RetryDue),
            wake(self.leased.first(), Why::LeaseOver),
        )
    }

    /// Due retries become visible; expired leases end, at their deadline, however late it is noticed.
    pub(super) fn settle<R: Rules>(&mut self, rules: &R, now: Timestamp) {
        while let Some(&(due, sequence)) = self.delayed.first()
            && due <= now
            && let Some(held) = self.remove(sequence)
        {
            self.put_visible(rules, held, due);
        }
        while let Some(&(deadline, sequence)) = self.leased.first()
            && rules.is_expired(now, deadline)
            && let Some(held) = self.remove(sequence)
        {
            self.expire(rules, held, deadline);
        }
    }

    fn expire<R: Rules>(&mut self, rules: &R, mut held: Held, deadline: Timestamp) {
        held.last_error = String::from(LEASE_EXPIRED);
        match rules.after_expiry(held.attempt, held.task.max_attempts) {
            Phase::Dead => self.put_dead(held, deadline),
            _ => self.put_visible(rules, held, deadline),
        }
    }

    /// Takes a task off the shelf, out of every index.
    pub(super) fn take(&mut self, task: &TaskId) -> Option<Held> {
        let sequence = *self.by_id.get(task)?;
        self.remove(sequence)
    }

    fn remove(&mut self, sequence: u64) -> Option<Held> {
        let held = self.held.remove(&sequence)?;
        self.by_id.remove(&held.task.id);
        match held.phase {
            Phase::Visible => drop(self.visible.remove(&held.place)),
            Phase::Delayed => drop(self.delayed.remove(&(held.visible_at, sequence))),
            Phase::Leased => drop(self.leased.remove(&(held.deadline(), sequence))),
            Phase::Dead => drop(self.dead.remove(&sequence)),
        }
        Some(held)
    }

    /// Deliverable from `visible_at` on, which is now or past.
    pub(super) fn put_visible<R: Rules>(
        &mut self,
        rules: &R,
        mut held: Held,
        visible_at: Timestamp,
    ) {
        held.phase = Phase::Visible;
        held.since = visible_at;
        held.visible_at = visible_at;
        held.place = rules.place_in_line(visible_at, held.sequence);
        self.visible.insert(held.place, held.sequence);
        self.put(held);
    }

    /// Hidden until `visible_at`; at once visible if that is not later than now.
    pub(super) fn put_delayed<R: Rules>(
        &mut self,
        rules: &R,
        mut held: Held,
        now: Timestamp,
        visible_at: Timestamp,
    ) {
        if visible_at <= now {
            return self.put_visible(rules, held, visible_at);
        }
        held.phase = Phase::Delayed;
        held.since = now;
        held.visible_at = visible_at;
        self.delayed.insert((visible_at, held.sequence));
        self.put(held);
    }

    /// With a worker until the lease's deadline.
    pub(super) fn put_leased(&mut self, mut held: Held, newest: Newest) {
        held.phase = Phase::Leased;
        held.since = newest.since;
        held.visible_at = newest.since;
        self.leased.insert((newest.deadline, held.sequence));
        held.newest = Some(newest);
        self.put(held);
    }

    /// Among the dead letters since `at`.
    pub(super) fn put_dead(&mut self, mut held: Held, at: Timestamp) {
        held.phase = Phase::Dead;
        held.since = at;
        held.visible_at = at;
        self.dead.insert(held.sequence);
        self.put(held);
    }

    fn put(&mut self, held: Held) {
        self.by_id.insert(held.task.id.clone(), held.sequence);
        self.held.insert(held.sequence, held);
    }

    /// The indices and the tasks say the same (faults, S1 and S2).
    pub(super) fn invariants(&self, sequence_next: u64) {
        let depth = self.depth();
        let indexed = [depth.visible, depth.delayed, depth.leased, depth.dead];
        assert_eq!(
            indexed.iter().map(|n| *n as usize).sum::<usize>(),
            self.held.len()
        );
        assert_eq!(self.by_id.len(), self.held.len());
        for (sequence, held) in &self.held {
            assert_eq!(self.by_id.get(&held.task.id), Some(sequence));
            assert!(*sequence == held.sequence && *sequence < sequence_next);
            assert!(held.task.max_attempts >= 1);
            assert!(match held.phase {
                Phase::Visible => self.visible.get(&held.place) == Some(sequence),
                Phase::Delayed => self.delayed.contains(&(held.visible_at, *sequence)),
                Phase::Leased => {
                    held.newest.is_some() && self.leased.contains(&(held.deadline(), *sequence))
                }
                Phase::Dead => self.dead.contains(sequence),
            });
        }
    }
}
