//! Carrying a written call out on a bench, and writing down what it came to.
//!
//! It knows which method of the queue each call is. It deliberately knows no rule.

use super::Bench;
use crate::call::{Answer, Call, DeadLine, Outcome};
use crate::refusal::Refusal;
use crate::rules::Rules;
use crate::task::{
    DeadLetter, Disposition, Enqueued, Lease, LeaseId, QueueName, Task, TaskError, TaskId, Token,
};
use crate::time::Timestamp;
use alloc::string::ToString;
use alloc::vec::Vec;

impl Call {
    /// Carries the call out on the bench's first queue.
    pub fn carry_out<R: Rules + Clone>(
        &self,
        on: &mut Bench<R>,
        now: Timestamp,
        by: &str,
    ) -> Answer {
        let name = on.name.clone();
        self.carry_out_in(on, &name, now, by)
    }

    /// Carries the call out on a queue of the bench. Polls that wait are served on the way: before the call
    /// what the clock brought them, and after it what the call did.
    pub fn carry_out_in<R: Rules + Clone>(
        &self,
        on: &mut Bench<R>,
        name: &QueueName,
        now: Timestamp,
        by: &str,
    ) -> Answer {
        on.pass_time(now);
        let answer = ask(self, on, name, now, by).unwrap_or_else(Answer::refused);
        if let Some(lease) = &answer.lease {
            on.remember_holder(lease.token, by);
        }
        if answer.outcome.is_change_by(self) {
            on.something_changed();
        }
        answer
    }
}

impl Answer {
    /// An answer that is told by its outcome alone.
    pub fn plain(outcome: Outcome) -> Self {
        Answer {
            outcome,
            refusal: None,
            lease: None,
            dead: Vec::new(),
        }
    }

    /// A poll's answer.
    pub fn of_poll(polled: Result<Lease, Refusal>) -> Self {
        polled.map_or_else(Answer::refused, |lease| Answer {
            lease: Some(lease.clone()),
            ..Answer::plain(Outcome::Leased {
                task: lease.task.id,
                attempt: lease.attempt,
                token: lease.token,
                deadline: lease.deadline,
            })
        })
    }

    fn refused(refusal: Refusal) -> Self {
        let outcome = match &refusal {
            Refusal::NoTask { .. } => Outcome::NoTask,
            Refusal::LeaseLost { .. } => Outcome::LeaseLost,
            Refusal::NotFound { .. } => Outcome::NotFound,
            other => Outcome::Refused(other.to_string()),
        };
        Answer {
            refusal: Some(refusal),
            ..Answer::plain(outcome)
        }
    }
}

fn ask<R: Rules + Clone>(
    call: &Call,
    on: &mut Bench<R>,
    name: &QueueName,
    now: Timestamp,
    by: &str,
) -> Result<Answer, Refusal> {
    let lease = |task: &TaskId, token: &Token| LeaseId {
        queue: name.clone(),
        task: task.clone(),
        token: *token,
    };
    let queue = &mut on.queue;
    Ok(Answer::plain(match call {
        Call::Enqueue {
            task,
            payload,
            max_attempts,
            visibility,
        } => {
            let task = Task {
                id: task.clone(),
                payload: payload.as_str().into(),
                max_attempts: *max_attempts,
                visibility: *visibility,
            };
            match queue.enqueue(now, name, &task)? {
                Enqueued::Added => Outcome::Added,
                Enqueued::AlreadyHeld(phase) => Outcome::AlreadyHeld(phase),
            }
        }
        Call::Poll => return queue.poll(now, name, by).map(|it| Answer::of_poll(Ok(it))),
        Call::LongPoll { wait } => return Ok(on.begin_wait(name, by, *wait)),
        Call::PollReturns => return Ok(on.hear(by)),
        Call::Check { task, token } => {
            queue.check(now, &lease(task, token))?;
            Outcome::Live
        }
        Call::Heartbeat {
            task,
            token,
            details,
        } => {
            let extended = queue.heartbeat(now, &lease(task, token), &details.as_str().into())?;
            let outcome = Outcome::Extended {
                deadline: extended.deadline,
            };
            return Ok(Answer {
                lease: Some(extended),
                ..Answer::plain(outcome)
            });
        }
        Call::Complete { task, token } => {
            queue.complete(now, &lease(task, token))?;
            Outcome::Completed { task: task.clone() }
        }
        Call::Fail {
            task,
            token,
            error,
            non_retryable,
            retry_after,
        } => {
            let error = TaskError {
                message: error.as_str().into(),
                non_retryable: *non_retryable,
                retry_after: *retry_after,
            };
            match queue.fail(now, &lease(task, token), &error)? {
                Disposition::Retrying { visible_at } => Outcome::Retrying { visible_at },
                Disposition::DeadLettered => Outcome::DeadLettered,
                Disposition::Dropped => Outcome::Dropped,
            }
        }
        Call::DeadLetters => {
            let dead = queue.dead_letters(now, name);
            let lines = dead.iter().map(dead_line).collect();
            return Ok(Answer {
                dead,
                ..Answer::plain(Outcome::DeadLetters(lines))
            });
        }
        Call::Redrive { tasks } => Outcome::Redriven(queue.redrive(now, name, tasks)?),
        Call::Depth => Outcome::Depth(queue.depth(now, name)),
        Call::Reopen => on.reopen().map_or_else(
            |error| Outcome::Refused(error.to_string()),
            |()| Outcome::Reopened,
        ),
        Call::BreakLog | Call::MendLog => {
            queue.log_mut().set_refusing(*call == Call::BreakLog);
            Outcome::Done
        }
    }))
}

fn dead_line(dead: &DeadLetter) -> DeadLine {
    DeadLine {
        task: dead.task.id.clone(),
        attempts: dead.attempts,
        at: dead.at,
    }
}
