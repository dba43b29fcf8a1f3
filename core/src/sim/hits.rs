//! What chaos has met: a table of actions, states and weather, and the things that must be seen sometimes.
//!
//! It knows every cell that can be hit, so that one that never was is found. It deliberately judges no
//! answer: a run that met nothing would pass every oracle.

use crate::call::{Call, Outcome};
use crate::oracle::{Oracle, Standing};
use crate::refusal::{Lost, Refusal};
use crate::task::{Phase, QueueName};
use crate::time::Timestamp;
use crate::watched::Came;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use core::fmt::Write;
use serde::{Deserialize, Serialize};

/// What is called.
pub const ACTIONS: [&str; 11] = [
    "enqueue",
    "poll",
    "long poll",
    "check",
    "heartbeat",
    "complete",
    "fail",
    "fail for good",
    "redrive",
    "dead letters",
    "depth",
];

/// What the call's task is, or the best that its queue holds.
pub const STATES: [(Standing, &str); 6] = [
    (Standing::Absent, "absent"),
    (Standing::Visible, "visible"),
    (Standing::Delayed, "delayed"),
    (Standing::Leased, "leased"),
    (Standing::LeasedByAnother, "another's"),
    (Standing::Dead, "dead"),
];

/// What went wrong around the call.
pub const WEATHER: [&str; 4] = ["calm", "log fails", "after a crash", "clock back"];

/// What must be seen sometimes.
pub const SOMETIMES: [&str; 22] = [
    "a lease expires",
    "a task dies of its last lease's expiry",
    "a task dies of a failure",
    "a failure for good drops a task",
    "a retry is delivered",
    "a late answer is fenced by a newer lease",
    "an answer comes exactly at the deadline",
    "a given-up lease calls again",
    "an acknowledged task's lease calls again",
    "a dead letter is redriven",
    "a redrive names a task that is not dead",
    "a crash with a live lease",
    "a crash with a delayed task",
    "a crash with a dead letter",
    "a crash cuts a waiting poll off",
    "the log refuses a record",
    "an id is enqueued again after it left",
    "details reach the next attempt",
    "a wait is served by a change",
    "a wait is served by the clock",
    "a wait ends with nothing",
    "two polls wait at once",
];

/// The calls after a crash that count as being after it.
const AFTER_A_CRASH: u32 = 4;

/// How often each cell and each sometimes was hit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Hits {
    cells: BTreeMap<(usize, usize, usize), u64>,
    sometimes: [u64; SOMETIMES.len()],
    run: Within,
}

/// How far the current run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Within {
    calls_since_crash: Option<u32>,
    expired: usize,
    died: usize,
}

/// Hits as JSON: the names stand beside the numbers, so that another build does not misread them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    cells: BTreeMap<String, u64>,
    sometimes: BTreeMap<String, u64>,
}

impl From<Hits> for Written {
    fn from(hits: Hits) -> Self {
        let cells = hits
            .cells
            .iter()
            .map(|(cell, count)| (cell_name(*cell), *count));
        let sometimes = hits
            .sometimes()
            .map(|(what, count)| (String::from(what), count));
        Written {
            cells: cells.collect(),
            sometimes: sometimes.collect(),
        }
    }
}

impl TryFrom<Written> for Hits {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let mut hits = Hits::default();
        for (name, count) in written.cells {
            let cell = all_cells().find(|cell| cell_name(*cell) == name);
            let cell = cell.ok_or_else(|| {
                format!("this build has no cell {name:?}: merge what one build wrote")
            })?;
            hits.cells.insert(cell, count);
        }
        for (name, count) in written.sometimes {
            let place = SOMETIMES.iter().position(|what| **what == name);
            let place = place.ok_or_else(|| {
                format!("this build has no sometimes {name:?}: merge what one build wrote")
            })?;
            hits.sometimes[place] = count;
        }
        Ok(hits)
    }
}

impl Hits {
    /// A run begins, or has ended: nothing has crashed yet.
    pub(super) fn begin(&mut self) {
        self.run = Within::default();
    }

    /// Counts one call.
    pub(super) fn count(
        &mut self,
        oracle: &Oracle,
        at: Timestamp,
        queue: &QueueName,
        call: &Call,
        came: &Came,
    ) {
        let weather = if oracle.log_refuses() {
            1
        } else if self
            .run
            .calls_since_crash
            .is_some_and(|calls| calls < AFTER_A_CRASH)
        {
            2
        } else {
            usize::from(at < came.now) * 3
        };
        let state = STATES
            .iter()
            .position(|(standing, _)| *standing == came.standing);
        if let (Some(action), Some(state)) = (action(call), state) {
            *self.cells.entry((action, state, weather)).or_default() += 1;
        }
        self.run.calls_since_crash = match call {
            Call::Reopen => Some(0),
            _ => self.run.calls_since_crash.map(|calls| calls + 1),
        };
        let had_left = call.task().is_some_and(|task| oracle.had_left(queue, task));
        self.see_sometimes(oracle, had_left, call, came);
    }

    fn see_sometimes(&mut self, oracle: &Oracle, had_left: bool, call: &Call, came: &Came) {
        let (expired, died, waiting) = oracle.counts();
        let lost = match &came.answer.refusal {
            Some(Refusal::LeaseLost { why, .. }) => Some(*why),
            _ => None,
        };
        let outcome = &came.answer.outcome;
        let lease = came.answer.lease.as_ref();
        let is_crash = *call == Call::Reopen;
        let redelivered = lease.filter(|lease| lease.attempt.0 > 1 && *call == Call::Poll);
        let by_clock = came
            .served
            .iter()
            .any(|told| told.answer.lease.is_some() && *call == Call::PollReturns);
        let by_change = came
            .served
            .iter()
            .any(|told| told.answer.lease.is_some() && *call != Call::PollReturns);
        let held = |phase| is_crash && oracle.holds(phase);
        let seen = [
            expired > self.run.expired,
            died > self.run.died,
            *outcome == Outcome::DeadLettered,
            *outcome == Outcome::Dropped,
            redelivered.is_some() && expired == self.run.expired,
            matches!(lost, Some(Lost::Replaced { .. })),
            matches!(lost, Some(Lost::Over { deadline }) if deadline == came.now),
            matches!(lost, Some(Lost::GivenUp { .. })),
            lost == Some(Lost::Gone),
            matches!(outcome, Outcome::Redriven(count) if *count > 0),
            *outcome == Outcome::NotFound,
            held(Phase::Leased),
            held(Phase::Delayed),
            held(Phase::Dead),
            is_crash && came.waited > waiting,
            matches!(came.answer.refusal, Some(Refusal::Log(_))),
            *outcome == Outcome::Added && had_left,
            redelivered.is_some_and(|lease| !lease.details.is_empty()),
            by_change,
            by_clock,
            came.served
                .iter()
                .any(|told| told.answer.outcome == Outcome::NoTask),
            waiting > 1,
        ];
        for (count, seen) in self.sometimes.iter_mut().zip(seen) {
            *count += u64::from(seen);
        }
        (self.run.expired, self.run.died) = (expired, died);
    }

    /// Adds what another run, or another machine, has met.
    pub fn merge(&mut self, other: &Hits) {
        for (cell, count) in &other.cells {
            *self.cells.entry(*cell).or_default() += count;
        }
        for (count, more) in self.sometimes.iter_mut().zip(other.sometimes) {
            *count += more;
        }
    }

    /// How often each sometimes was seen.
    pub fn sometimes(&self) -> impl Iterator<Item = (&'static str, u64)> {
        SOMETIMES.into_iter().zip(self.sometimes)
    }

    /// The cells and the sometimes that were never hit, in words.
    pub fn missing(&self) -> alloc::vec::Vec<String> {
        let cells = all_cells().filter(|cell| !self.cells.contains_key(cell));
        let cells = cells.map(cell_name);
        let never = self.sometimes().filter(|(_, count)| *count == 0);
        cells
            .chain(never.map(|(what, _)| String::from(what)))
            .collect()
    }

    /// The table: an action and a weather a line, a state a column; `-` cannot be, `0` never was.
    pub fn table(&self) -> String {
        let mut text = format!("{:<14}{:<15}", "action", "weather");
        for (_, state) in STATES {
            let _ = write!(text, "{state:>10}");
        }
        for (action, name) in ACTIONS.iter().enumerate() {
            for (weather, around) in WEATHER.iter().enumerate() {
                let _ = write!(text, "\n{name:<14}{around:<15}");
                for state in 0..STATES.len() {
                    let cell = (action, state, weather);
                    let count = self.cells.get(&cell).copied().unwrap_or_default();
                    let shown = if can_be(action, state) {
                        format!("{count}")
                    } else {
                        String::from("-")
                    };
                    let _ = write!(text, "{shown:>10}");
                }
            }
        }
        text
    }
}

fn cell_name((action, state, weather): (usize, usize, usize)) -> String {
    format!(
        "{} x {} x {}",
        ACTIONS[action], STATES[state].1, WEATHER[weather]
    )
}

fn all_cells() -> impl Iterator<Item = (usize, usize, usize)> {
    let pairs =
        (0..ACTIONS.len()).flat_map(|action| (0..STATES.len()).map(move |state| (action, state)));
    let pairs = pairs.filter(|(action, state)| can_be(*action, *state));
    pairs
        .flat_map(|(action, state)| (0..WEATHER.len()).map(move |weather| (action, state, weather)))
}

/// Only who shows a token can find that the task is another's.
fn can_be(action: usize, state: usize) -> bool {
    STATES[state].0 != Standing::LeasedByAnother || (3..=7).contains(&action)
}

fn action(call: &Call) -> Option<usize> {
    Some(match call {
        Call::Enqueue { .. } => 0,
        Call::Poll => 1,
        Call::LongPoll { .. } => 2,
        Call::Check { .. } => 3,
        Call::Heartbeat { .. } => 4,
        Call::Complete { .. } => 5,
        Call::Fail {
            non_retryable: false,
            ..
        } => 6,
        Call::Fail { .. } => 7,
        Call::Redrive { .. } => 8,
        Call::DeadLetters => 9,
        Call::Depth => 10,
        Call::PollReturns | Call::Reopen | Call::BreakLog | Call::MendLog => return None,
    })
}
