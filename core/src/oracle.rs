//! The oracle: what must always hold, judged from calls and answers alone.
//!
//! It knows what was asked, what was answered and when. It deliberately never looks into the queue: its
//! own notes are a second opinion. What it finds broken it keeps, with the step and the ids.

mod acting;
mod judge;
mod notes;
mod property;
mod waits;

use crate::bench::Told;
use crate::bytes::Bytes;
use crate::call::{Answer, Call};
use crate::picture::Picture;
use crate::task::{Options, Phase, QueueName, TaskId, Token};
use crate::time::Timestamp;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use notes::{Is, Notes};
use waits::Waiter;

pub use property::{HEADLINES, PROPERTIES, Property};

/// A property that did not hold: the step, and what happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The step at which it was first seen.
    pub step: usize,
    /// What happened, with the ids.
    pub what: String,
}

/// One call and its answer, as the oracle hears of it.
#[derive(Clone, Copy, Debug)]
pub struct Heard<'a> {
    /// The queue's now.
    pub now: Timestamp,
    /// Who called.
    pub by: &'a str,
    /// Which queue.
    pub queue: &'a QueueName,
    /// What was asked.
    pub call: &'a Call,
    /// What was answered.
    pub answer: &'a Answer,
}

/// What a task is to somebody who shows a token of it, or no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// The queue does not hold it.
    Absent,
    /// Visible now.
    Visible,
    /// Waiting for its retry.
    Delayed,
    /// Leased, and by this token if one is shown.
    Leased,
    /// Leased, by another token than the one shown.
    LeasedByAnother,
    /// A dead letter.
    Dead,
}

/// The oracle's own notes.
#[derive(Clone, Debug)]
pub struct Oracle {
    options: Options,
    step: usize,
    now: Timestamp,
    shelves: BTreeMap<QueueName, Notes>,
    token_last: Token,
    sequence_next: u64,
    log_refuses: bool,
    waiting: Vec<Waiter>,
    /// What each token was handed out to do.
    delivered: BTreeMap<(QueueName, TaskId, Token), Bytes>,
    /// The effects that workers applied. An effect is keyed by the task and what is to be done, so that a
    /// second delivery of the same work finds it applied.
    effects: BTreeSet<(QueueName, TaskId, Vec<u8>)>,
    broken: BTreeMap<Property, Broken>,
    first: Option<Property>,
}

impl Oracle {
    /// An oracle for a queue that was opened empty with these defaults.
    pub fn new(options: Options) -> Self {
        Oracle {
            options: options.resolved(),
            step: 0,
            now: Timestamp::ZERO,
            shelves: BTreeMap::new(),
            token_last: Token(0),
            sequence_next: 0,
            log_refuses: false,
            waiting: Vec::new(),
            delivered: BTreeMap::new(),
            effects: BTreeSet::new(),
            broken: BTreeMap::new(),
            first: None,
        }
    }

    /// What is heard from now on belongs to this step.
    pub fn turn_to(&mut self, step: usize) {
        self.step = step;
    }

    /// Hears that a waiting poll was answered.
    pub fn told(&mut self, told: &Told) {
        self.pass_time(told.at);
        self.wait_answered(told);
        let polled = Heard {
            now: told.at,
            by: &told.by,
            queue: &told.queue,
            call: &Call::Poll,
            answer: &told.answer,
        };
        self.polled(polled);
    }

    /// Hears one call and its answer.
    pub fn listen(&mut self, heard: Heard<'_>) {
        self.pass_time(heard.now);
        self.judge(heard);
    }

    /// All is told of this instant: nobody may wait now who should have been answered.
    pub fn all_told(&mut self) {
        self.judge_waits();
    }

    /// Hears how often waiting polls looked since the last call.
    pub fn turned(&mut self, turns: usize, turns_max: usize) {
        if turns > turns_max {
            let what = format!("whoever waits looked {turns} times without a change");
            self.found(Property::NoSpin, what);
        }
    }

    /// Hears whether the log alone rebuilt the queue.
    pub fn replayed(&mut self, difference: Option<String>) {
        if let Some(what) = difference {
            self.found(Property::LogReplays, what);
        }
    }

    /// Hears how many records a call wrote, and how many answers of it change a queue.
    pub fn wrote(&mut self, call: &Call, records: usize, changes: usize) {
        if records != changes {
            let what = format!("{call} wrote {records} records for {changes} changes");
            self.found(Property::RecordsCount, what);
        }
    }

    /// Sees a queue before and after a call that was refused, or that was another queue's.
    pub fn looked(&mut self, refused: bool, call: &Call, before: &Picture, after: &Picture) {
        if same_to_see(before, after) {
            return;
        }
        let (property, why) = match call {
            Call::Reopen => (Property::LogReplays, "rebuilds from the log"),
            _ if refused => (Property::RefusalIsSilent, "was refused"),
            _ => (Property::QueuesApart, "is another queue's"),
        };
        let what = format!(
            "{call} {why}, and the queue went from {:?} to {:?}",
            before.depth, after.depth
        );
        self.found(property, what);
    }

    /// Everything has healed and had its time: what is still held was forgotten.
    pub fn has_converged(&mut self) {
        let held = self.shelves.iter().flat_map(|(queue, notes)| {
            let ids = notes.tasks.keys();
            ids.map(move |id| format!("{id} in {queue}"))
        });
        let held: Vec<String> = held.collect();
        if !held.is_empty() {
            self.found(
                Property::Converges,
                format!("still held: {}", held.join(", ")),
            );
        }
    }

    /// What was broken first, if the property was ever broken.
    pub fn broken(&self, property: Property) -> Option<&Broken> {
        self.broken.get(&property)
    }

    /// The property that was broken before all others, if any was.
    pub fn first_broken(&self) -> Option<(Property, &Broken)> {
        let first = self.first?;
        Some((first, self.broken.get(&first)?))
    }

    /// What a task is now, to whoever shows this token.
    pub fn standing(&self, queue: &QueueName, task: &TaskId, shown: Option<Token>) -> Standing {
        let note = self
            .shelves
            .get(queue)
            .and_then(|notes| notes.tasks.get(task));
        match note.map(|note| note.is) {
            None => Standing::Absent,
            Some(Is::Visible { .. }) => Standing::Visible,
            Some(Is::Delayed { .. }) => Standing::Delayed,
            Some(Is::Dead { .. }) => Standing::Dead,
            Some(Is::Leased { token, .. }) if shown.is_none_or(|shown| shown == token) => {
                Standing::Leased
            }
            Some(Is::Leased { .. }) => Standing::LeasedByAnother,
        }
    }

    /// What a call's task is now to whoever calls. Without a task: the best that its queue holds, for a
    /// redrive the worst that it names.
    pub fn standing_of(&self, queue: &QueueName, call: &Call) -> Standing {
        if let Some(task) = call.task() {
            return self.standing(queue, task, call.lease().map(|(_, token)| token));
        }
        let one = |task| self.standing(queue, task, None);
        if let Call::Redrive { tasks } = call {
            let named = tasks.iter().map(one);
            let worst = named.min_by_key(|standing| *standing == Standing::Dead);
            return worst.unwrap_or_else(|| self.best(queue, Standing::Dead));
        }
        self.best(queue, Standing::Visible)
    }

    /// What the first of a queue's tasks is, this standing before all others.
    fn best(&self, queue: &QueueName, first: Standing) -> Standing {
        let notes = self.shelves.get(queue).into_iter();
        let all = notes.flat_map(|notes| notes.tasks.keys());
        let standings = all.map(|task| self.standing(queue, task, None));
        let best = standings.min_by_key(|standing| (*standing != first, *standing));
        best.unwrap_or(Standing::Absent)
    }

    /// The tasks of a queue that are in this phase, in the order of their ids.
    pub fn ids(&self, queue: &QueueName, phase: Phase) -> Vec<TaskId> {
        let notes = self.shelves.get(queue).into_iter();
        let all = notes.flat_map(|notes| &notes.tasks);
        let these = all.filter(|(_, note)| note.phase() == phase);
        these.map(|(id, _)| id.clone()).collect()
    }

    /// When something is due for whoever waits: the next retry or deadline of its queue, or the end of its
    /// wait.
    pub fn next_due(&self, by: &str) -> Option<Timestamp> {
        let waiter = self.waiting.iter().find(|waiter| waiter.by == by)?;
        let notes = self.shelves.get(&waiter.queue).into_iter();
        let all = notes.flat_map(|notes| notes.tasks.values());
        let due = all.filter_map(|note| match note.is {
            Is::Delayed { until } => Some(until),
            Is::Leased { deadline, .. } => Some(deadline),
            _ => None,
        });
        due.chain([waiter.ends]).min()
    }

    /// True if any queue holds a task of this phase.
    pub fn holds(&self, phase: Phase) -> bool {
        let all = self.shelves.values().flat_map(|notes| notes.tasks.values());
        all.into_iter().any(|note| note.phase() == phase)
    }

    /// True if a task of this id has left the queue before.
    pub fn had_left(&self, queue: &QueueName, task: &TaskId) -> bool {
        self.shelves
            .get(queue)
            .is_some_and(|notes| notes.left.contains(task))
    }

    /// How many leases were seen to expire, how many dead letters came of it, and how many polls wait.
    pub fn counts(&self) -> (usize, usize, usize) {
        let notes = self.shelves.values();
        let (expired, died) = notes.fold((0, 0), |(expired, died), notes| {
            (expired + notes.expired, died + notes.died)
        });
        (expired, died, self.waiting.len())
    }

    /// True while the log refuses records.
    pub fn log_refuses(&self) -> bool {
        self.log_refuses
    }

    /// The clock moves, and what is due happens.
    pub fn pass_time(&mut self, now: Timestamp) {
        self.now = self.now.max(now);
        for notes in self.shelves.values_mut() {
            notes.settle(self.now);
        }
    }

    fn found(&mut self, property: Property, what: String) {
        self.first.get_or_insert(property);
        let step = self.step;
        self.broken.entry(property).or_insert(Broken { step, what });
    }
}

/// Equal in everything that a call can see; the instants of looking may differ.
pub(crate) fn same_to_see(one: &Picture, other: &Picture) -> bool {
    (one.depth, &one.tasks, &one.wake) == (other.depth, &other.tasks, &other.wake)
}
