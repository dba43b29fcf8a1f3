//! Possible: could a queue in this state have written this record?
//!
//! It knows what every record takes for granted, so that a log that no queue wrote is refused and never
//! half believed. It deliberately repairs nothing and skips nothing.

use crate::decide::acting;
use crate::record::Record;
use crate::rules::Rules;
use crate::state::State;
use crate::task::{LeaseId, PAYLOAD_BYTES_MAX, Phase, QueueName, TaskId, Token};
use alloc::format;
use alloc::string::{String, ToString};

/// Refuses a record that does not follow from the state; the state has passed to the record's instant.
pub fn possible<R: Rules>(
    state: &State,
    rules: &R,
    queue: &QueueName,
    record: &Record,
) -> Result<(), String> {
    if record.at() < state.now() {
        return Err(format!(
            "it happened at {} s, after something at {} s",
            record.at(),
            state.now()
        ));
    }
    match record {
        Record::Enq {
            task,
            payload,
            max_attempts,
            visibility,
            ..
        } => {
            must(*max_attempts > 0, || String::from("max_attempts is 0"))?;
            must(!visibility.is_zero(), || String::from("visibility is 0"))?;
            must(payload.len() <= PAYLOAD_BYTES_MAX, || {
                format!("its payload has {} bytes", payload.len())
            })?;
            let held = state
                .held(queue, task)
                .filter(|held| rules.keeps_held_task(held.phase()));
            must(held.is_none(), || {
                format!("task \"{task}\" is held already")
            })
        }
        Record::Lease {
            at,
            task,
            token,
            attempt,
            deadline,
            ..
        } => {
            let phase = phase(state, queue, task)?;
            must(phase == Phase::Visible, || {
                format!("task \"{task}\" is {phase}, not visible")
            })?;
            let least = rules.token_next(state.token_last());
            must(*token >= least, || {
                format!("token {token} does not rise above {}", state.token_last())
            })?;
            let next = state
                .held(queue, task)
                .map(|held| rules.attempt_next(held.attempt()));
            must(next == Some(*attempt), || {
                format!("attempt {attempt} is not the next of task \"{task}\"")
            })?;
            must(deadline >= at, || {
                format!("the deadline {deadline} s lies before {at} s")
            })
        }
        Record::Hb { task, token, .. }
        | Record::Ack { task, token, .. }
        | Record::Drop { task, token, .. } => held_by(state, rules, queue, task, *token),
        Record::Retry {
            at,
            task,
            token,
            visible_at,
            ..
        } => {
            must(visible_at >= at, || {
                format!("the retry at {visible_at} s lies before {at} s")
            })?;
            held_by(state, rules, queue, task, *token)
        }
        Record::Dead {
            task,
            token,
            attempts,
            ..
        } => {
            held_by(state, rules, queue, task, *token)?;
            let delivered = state.held(queue, task).map(|held| held.attempt());
            must(delivered == Some(*attempts), || {
                format!("task \"{task}\" was not delivered {attempts} times")
            })
        }
        Record::Redrive { tasks, .. } => {
            must(!tasks.is_empty(), || String::from("it redrives nothing"))?;
            tasks.iter().try_for_each(|task| {
                let phase = phase(state, queue, task)?;
                must(phase == Phase::Dead, || {
                    format!("task \"{task}\" is {phase}, not dead")
                })
            })
        }
    }
}

fn phase(state: &State, queue: &QueueName, task: &TaskId) -> Result<Phase, String> {
    let held = state.held(queue, task);
    held.map(|held| held.phase())
        .ok_or_else(|| format!("no task \"{task}\" is held"))
}

fn held_by<R: Rules>(
    state: &State,
    rules: &R,
    queue: &QueueName,
    task: &TaskId,
    token: Token,
) -> Result<(), String> {
    let lease = LeaseId {
        queue: queue.clone(),
        task: task.clone(),
        token,
    };
    acting(state, rules, &lease)
        .map(|_| ())
        .map_err(|refusal| refusal.to_string())
}

fn must(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}
