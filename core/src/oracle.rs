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
use crate::call::{Answer, Call};
use crate::picture::Picture;
use crate::task::{Options, QueueName, TaskId, Token};
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
    /// Which life of which task each token was handed out for.
    delivered: BTreeMap<(QueueName, TaskId, Token), u64>,
    /// The effects that workers applied: one key a life of a task.
    effects: BTreeSet<u64>,
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
        let (property, why) = if refused {
            (Property::RefusalIsSilent, "was refused")
        } else {
            (Property::QueuesApart, "is another queue's")
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
            let ids = notes.0.keys();
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
        let note = self.shelves.get(queue).and_then(|notes| notes.0.get(task));
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

    /// The tasks of a queue with what they are, in the order of their ids.
    pub fn held(&self, queue: &QueueName) -> impl Iterator<Item = (&TaskId, Standing)> {
        let notes = self.shelves.get(queue).into_iter();
        let ids = notes.flat_map(|notes| notes.0.keys());
        ids.map(|id| (id, self.standing(queue, id, None)))
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
