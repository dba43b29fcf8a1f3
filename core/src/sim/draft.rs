//! A draft: a schedule whose leases are named by the poll that got them, so that a call can be taken out
//! and the others still mean what they meant.
//!
//! It knows how to read a scenario into a draft and how to play one. It deliberately does not choose what
//! to take out.

use super::{Red, red_of, steps, watch};
use crate::call::Call;
use crate::rules::Rules;
use crate::scenario::{Planned, Row, Scenario};
use crate::task::{Lease, Options, QueueName, TaskId, Token};
use crate::time::Timestamp;
use crate::watched::{Came, Watched};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// A schedule whose leases are named by the poll that got them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Draft {
    pub(crate) queue: QueueName,
    pub(crate) options: Options,
    pub(crate) moves: Vec<Move>,
}

/// One call of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    /// Names the move among all of its draft, however many others are taken out.
    pub(crate) id: usize,
    pub(crate) at: Timestamp,
    pub(crate) by: String,
    pub(crate) queue: QueueName,
    /// The token in it counts only if no poll got it.
    pub(crate) call: Call,
    /// The move whose lease it shows.
    pub(crate) lease_of: Option<usize>,
}

/// What playing a draft came to, up to the first broken property.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    /// The draft without the calls that had no lease to show, and those after the end.
    pub(crate) draft: Draft,
    pub(crate) rows: Vec<Row>,
    pub(crate) red: Option<Red>,
    /// Which task each poll got, by the move's name.
    pub(crate) got: BTreeMap<usize, TaskId>,
}

/// Who got which lease by which move.
#[derive(Default)]
struct Got {
    /// The newest poll of each caller: a waiting poll's answer belongs to it.
    poll_of: BTreeMap<String, usize>,
    leases: BTreeMap<usize, (TaskId, Token)>,
}

impl Got {
    fn note(&mut self, id: usize, by: &str, call: &Call, came: &Came) {
        if let Call::Poll | Call::LongPoll { .. } = call {
            self.poll_of.insert(String::from(by), id);
        }
        for told in &came.served {
            if let (Some(poll), Some(lease)) = (self.poll_of.get(&told.by), &told.answer.lease) {
                self.leases.insert(*poll, named(lease));
            }
        }
        if let (Call::Poll | Call::LongPoll { .. }, Some(lease)) = (call, &came.answer.lease) {
            self.leases.insert(id, named(lease));
        }
    }

    /// The newest move that got this lease.
    fn move_of(&self, task: &TaskId, token: Token) -> Option<usize> {
        let mut newest_first = self.leases.iter().rev();
        let same = |(_, lease): &(&usize, &(TaskId, Token))| lease.0 == *task && lease.1 == token;
        newest_first.find(same).map(|(id, _)| *id)
    }
}

fn named(lease: &Lease) -> (TaskId, Token) {
    (lease.task.id.clone(), lease.token)
}

impl Draft {
    /// Reads a scenario, finding out by playing it which poll got each lease.
    pub(crate) fn read<R: Rules + Clone>(scenario: &Scenario, rules: R) -> Self {
        let mut watched = watch(scenario, rules);
        let (mut got, mut moves) = (Got::default(), Vec::new());
        for (id, (_, at, planned)) in steps(scenario).enumerate() {
            let queue = planned.queue.as_ref().unwrap_or(&scenario.queue);
            let shown = planned.call.lease();
            moves.push(Move {
                id,
                at,
                by: planned.by.clone(),
                queue: queue.clone(),
                call: planned.call.clone(),
                lease_of: shown.and_then(|(task, token)| got.move_of(task, token)),
            });
            let came = watched.call(at, &planned.by, queue, &planned.call);
            got.note(id, &planned.by, &planned.call, &came);
        }
        Draft {
            queue: scenario.queue.clone(),
            options: scenario.options(),
            moves,
        }
    }

    /// Plays it until a property is broken.
    pub(crate) fn play<R: Rules + Clone>(&self, rules: R) -> Played {
        let mut watched = self.watch(rules);
        let (mut got, mut moves, mut rows) = (Got::default(), Vec::new(), Vec::new());
        for step in &self.moves {
            let Some(call) = shown(&step.call, step.lease_of, &got) else {
                continue;
            };
            watched.oracle.turn_to(rows.len() + 1);
            let came = watched.call(step.at, &step.by, &step.queue, &call);
            got.note(step.id, &step.by, &call, &came);
            let other = (step.queue != self.queue).then(|| step.queue.clone());
            rows.push(Row {
                at: step.at,
                calls: alloc::vec![Planned {
                    queue: other,
                    ..Planned::new(&*step.by, call)
                }],
            });
            moves.push(step.clone());
            if red_of(&watched).is_some() {
                break;
            }
        }
        Played {
            draft: Draft {
                moves,
                ..self.clone()
            },
            rows,
            red: red_of(&watched),
            got: got
                .leases
                .into_iter()
                .map(|(id, (task, _))| (id, task))
                .collect(),
        }
    }

    fn watch<R: Rules + Clone>(&self, rules: R) -> Watched<R> {
        let mut others: Vec<QueueName> = Vec::new();
        for step in &self.moves {
            if step.queue != self.queue && !others.contains(&step.queue) {
                others.push(step.queue.clone());
            }
        }
        Watched::new(&self.queue, &others, rules, self.options)
    }
}

/// The call with the lease that its poll got this time, or nothing if it got none.
fn shown(call: &Call, lease_of: Option<usize>, got: &Got) -> Option<Call> {
    let mut call = call.clone();
    if let Some(poll) = lease_of {
        let (got_task, got_token) = got.leases.get(&poll)?;
        if let Call::Check { task, token }
        | Call::Heartbeat { task, token, .. }
        | Call::Complete { task, token }
        | Call::Fail { task, token, .. } = &mut call
        {
            (*task, *token) = (got_task.clone(), *got_token);
        }
    }
    Some(call)
}
