//! Decide: may this call happen, and what would its record be? (Step 1 of the law.)
//!
//! It knows the state, the rules and a command, and answers with a record or a refusal. It deliberately
//! changes nothing: it sees the state behind a shared reference.

use crate::bytes::Bytes;
use crate::record::Record;
use crate::refusal::{Lost, Refusal};
use crate::rules::Rules;
use crate::state::{Held, State};
use crate::task::{
    Disposition, LeaseId, PAYLOAD_BYTES_MAX, Phase, QueueName, TEXT_BYTES_MAX, Task, TaskError,
    TaskId,
};
use alloc::collections::BTreeMap;

/// A call that would change the queue.
#[derive(Clone, Copy, Debug)]
pub enum Command<'a> {
    /// Add a task, its numbers resolved.
    Enqueue(&'a Task),
    /// Hand the first task in line to this worker.
    Poll(&'a str),
    /// Extend a lease and keep these details.
    Heartbeat(&'a LeaseId, &'a Bytes),
    /// The work is done.
    Complete(&'a LeaseId),
    /// The work went wrong.
    Fail(&'a LeaseId, &'a TaskError),
    /// Move these dead letters back; all of them if none is named.
    Redrive(&'a [TaskId]),
}

/// The record that the command would write, at the state's own now.
pub fn decide<R: Rules>(
    state: &State,
    rules: &R,
    queue: &QueueName,
    command: Command<'_>,
) -> Result<Record, Refusal> {
    match command {
        Command::Enqueue(task) => enqueue(state, rules, queue, task),
        Command::Poll(worker) => poll(state, rules, queue, worker),
        Command::Heartbeat(lease, details) => heartbeat(state, rules, lease, details),
        Command::Complete(lease) => {
            acting(state, rules, lease)?;
            Ok(Record::Ack {
                at: state.now(),
                task: lease.task.clone(),
                token: lease.token,
            })
        }
        Command::Fail(lease, error) => fail(state, rules, lease, error),
        Command::Redrive(tasks) => redrive(state, rules, queue, tasks),
    }
}

/// The task that this lease may act on; whether it may is the whole of section 2.2.
///
/// Guarded by `course::stale_token_lease_lost`.
pub fn acting<'s, R: Rules>(
    state: &'s State,
    rules: &R,
    lease: &LeaseId,
) -> Result<&'s Held, Refusal> {
    let lost = |why| Refusal::LeaseLost {
        task: lease.task.clone(),
        token: lease.token,
        why,
    };
    let held = state
        .held(&lease.queue, &lease.task)
        .ok_or_else(|| lost(Lost::Gone))?;
    let newest = held.newest().ok_or_else(|| {
        lost(Lost::GivenUp {
            phase: held.phase(),
        })
    })?;
    if !rules.is_newest(lease.token, newest.token) {
        return Err(lost(Lost::Replaced {
            by: newest.token,
            at: newest.since,
        }));
    }
    if !rules.is_live(state.now(), newest.deadline) {
        return Err(lost(Lost::Over {
            deadline: newest.deadline,
        }));
    }
    Ok(held)
}

fn enqueue<R: Rules>(
    state: &State,
    rules: &R,
    queue: &QueueName,
    task: &Task,
) -> Result<Record, Refusal> {
    at_most("a payload", task.payload.len(), PAYLOAD_BYTES_MAX)?;
    if let Some(held) = state.held(queue, &task.id)
        && rules.keeps_held_task(held.phase())
    {
        return Err(Refusal::AlreadyHeld {
            phase: held.phase(),
        });
    }
    Ok(Record::Enq {
        at: state.now(),
        task: task.id.clone(),
        payload: task.payload.clone(),
        max_attempts: task.max_attempts,
        visibility: task.visibility,
    })
}

fn poll<R: Rules>(
    state: &State,
    rules: &R,
    queue: &QueueName,
    worker: &str,
) -> Result<Record, Refusal> {
    at_most("a worker's name", worker.len(), TEXT_BYTES_MAX)?;
    let shelf = state.shelf(queue);
    let Some(held) = shelf.and_then(|shelf| shelf.first_in_line()) else {
        return Err(Refusal::NoTask {
            ask_again: shelf.and_then(|shelf| shelf.wake()),
        });
    };
    Ok(Record::Lease {
        at: state.now(),
        task: held.id().clone(),
        token: rules.token_next(state.token_last()),
        attempt: rules.attempt_next(held.attempt()),
        deadline: rules.deadline(state.now(), held.visibility()),
        worker: worker.into(),
    })
}

fn heartbeat<R: Rules>(
    state: &State,
    rules: &R,
    lease: &LeaseId,
    details: &Bytes,
) -> Result<Record, Refusal> {
    at_most("a heartbeat's details", details.len(), PAYLOAD_BYTES_MAX)?;
    let held = acting(state, rules, lease)?;
    let deadline = held.newest().map_or(state.now(), |newest| newest.deadline);
    Ok(Record::Hb {
        at: state.now(),
        task: lease.task.clone(),
        token: lease.token,
        deadline: rules.deadline_after_heartbeat(state.now(), held.visibility(), deadline),
        details: rules.details_after_heartbeat(held.details(), details),
    })
}

fn fail<R: Rules>(
    state: &State,
    rules: &R,
    lease: &LeaseId,
    error: &TaskError,
) -> Result<Record, Refusal> {
    at_most("an error message", error.message.len(), TEXT_BYTES_MAX)?;
    let held = acting(state, rules, lease)?;
    let (at, task, token) = (state.now(), lease.task.clone(), lease.token);
    let message = error.message.clone();
    Ok(
        match rules.disposition(error, held.attempt(), held.max_attempts(), at) {
            Disposition::Dropped => Record::Drop {
                at,
                task,
                token,
                error: message,
            },
            Disposition::DeadLettered => Record::Dead {
                at,
                task,
                token,
                attempts: held.attempt(),
                error: message,
            },
            Disposition::Retrying { visible_at } => Record::Retry {
                at,
                task,
                token,
                visible_at,
                error: message,
            },
        },
    )
}

fn redrive<R: Rules>(
    state: &State,
    rules: &R,
    queue: &QueueName,
    tasks: &[TaskId],
) -> Result<Record, Refusal> {
    let shelf = state.shelf(queue);
    // By enqueue sequence: in enqueue order, and an id named twice counts once.
    let mut chosen = BTreeMap::new();
    if tasks.is_empty() {
        chosen.extend(
            shelf
                .into_iter()
                .flat_map(|shelf| shelf.dead(rules))
                .map(|held| (held.sequence(), held)),
        );
    }
    for task in tasks {
        let dead = shelf
            .and_then(|shelf| shelf.get(task))
            .filter(|held| held.phase() == Phase::Dead);
        let held = dead.ok_or_else(|| Refusal::NotFound {
            queue: queue.clone(),
            task: task.clone(),
        })?;
        chosen.insert(held.sequence(), held);
    }
    let tasks = chosen.values().map(|held| held.id().clone()).collect();
    Ok(Record::Redrive {
        at: state.now(),
        tasks,
    })
}

fn at_most(what: &'static str, bytes: usize, bytes_max: usize) -> Result<(), Refusal> {
    if bytes > bytes_max {
        Err(Refusal::TooLarge {
            what,
            bytes,
            bytes_max,
        })
    } else {
        Ok(())
    }
}
