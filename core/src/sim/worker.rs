//! A simulated worker: what it means to do with a task once it has one.
//!
//! It knows how a worker can fail: it dies, answers late, loses an answer and calls again, or shows a token
//! that is not its own. It deliberately knows no queue; it draws its acts from its own dice.

use super::dice::Dice;
use super::plan::{Fault, Plan};
use crate::call::Call;
use crate::task::{Lease, QueueName, TaskId, Token};
use crate::time::{Timestamp, millis_up};
use alloc::collections::VecDeque;
use alloc::format;
use alloc::string::String;
use core::time::Duration;

/// One worker.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    pub(super) name: String,
    pub(super) dice: Dice,
    /// What it still means to do with the task it has, and when.
    pub(super) acts: VecDeque<(Timestamp, QueueName, Call)>,
    /// True while its poll waits.
    pub(super) waits: bool,
}

impl Worker {
    pub(super) fn new(seed: u64, number: u8) -> Self {
        Worker {
            name: format!("worker {number}"),
            dice: Dice::of(seed, 100 + u64::from(number)),
            acts: VecDeque::new(),
            waits: false,
        }
    }

    /// It was handed a task: draws all it will do with it.
    pub(super) fn takes(&mut self, plan: &Plan, lease: &Lease, now: Timestamp) {
        let dice = &mut self.dice;
        let happens = |dice: &mut Dice, fault| dice.one_in(plan.rate(fault));
        let (queue, task, token) = (&lease.queue, &lease.task.id, lease.token);
        if happens(dice, Fault::Deaths) {
            return;
        }
        let mut do_at = |at, call| self.acts.push_back((at, queue.clone(), call));
        let (mut at, mut deadline) = (now, lease.deadline);
        if happens(dice, Fault::WrongTokens) {
            let off_by_one = Token(token.0 + 1 - 2 * dice.below(2).min(token.0));
            do_at(at, any_act(dice, task, off_by_one));
        }
        while happens(dice, Fault::Heartbeats) {
            at = in_time(dice, at, deadline);
            deadline = at.plus(lease.task.visibility);
            do_at(at, heartbeat(dice, task, token));
        }
        if happens(dice, Fault::LateAnswers) {
            at = late(dice, deadline, lease.task.visibility);
        } else {
            at = in_time(dice, at, deadline);
        }
        if happens(dice, Fault::Checks) {
            do_at(
                at,
                Call::Check {
                    task: task.clone(),
                    token,
                },
            );
        }
        let last = last_word(dice, plan, task, token);
        do_at(at, last.clone());
        while happens(dice, Fault::LostAnswers) {
            at = at.plus(Duration::from_secs(dice.choose([0, 1, 5])));
            let same = dice.one_in(2);
            do_at(
                at,
                if same {
                    last.clone()
                } else {
                    any_act(dice, task, token)
                },
            );
        }
    }
}

/// An instant before the deadline: soon, or the last there is.
fn in_time(dice: &mut Dice, now: Timestamp, deadline: Timestamp) -> Timestamp {
    let left = millis_up(deadline.since(now));
    match dice.below(6) {
        0 => now,
        1 => now.plus(Duration::from_millis(left.saturating_sub(1))),
        _ => now.plus(Duration::from_secs(dice.below(left / 1_000))),
    }
}

/// The deadline itself, or after it.
fn late(dice: &mut Dice, deadline: Timestamp, visibility: Duration) -> Timestamp {
    let more = match dice.below(4) {
        0 | 1 => Duration::ZERO,
        2 => Duration::from_secs(1),
        _ => visibility + Duration::from_secs(dice.below(10)),
    };
    deadline.plus(more)
}

fn last_word(dice: &mut Dice, plan: &Plan, task: &TaskId, token: Token) -> Call {
    let non_retryable = dice.one_in(plan.rate(Fault::NonRetryable));
    if non_retryable || dice.one_in(plan.rate(Fault::Failures)) {
        Call::Fail {
            task: task.clone(),
            token,
            error: String::from("boom"),
            non_retryable,
            retry_after: Duration::from_secs(dice.choose([0, 1, 5, 20, 60])),
        }
    } else {
        Call::Complete {
            task: task.clone(),
            token,
        }
    }
}

fn heartbeat(dice: &mut Dice, task: &TaskId, token: Token) -> Call {
    let details = match dice.below(3) {
        0 => String::new(),
        some => format!("half {some}"),
    };
    Call::Heartbeat {
        task: task.clone(),
        token,
        details,
    }
}

fn any_act(dice: &mut Dice, task: &TaskId, token: Token) -> Call {
    let task = task.clone();
    match dice.below(4) {
        0 => Call::Check { task, token },
        1 => Call::Complete { task, token },
        2 => heartbeat(dice, &task, token),
        _ => Call::Fail {
            task,
            token,
            error: String::from("once more"),
            non_retryable: dice.one_in(2),
            retry_after: Duration::ZERO,
        },
    }
}
