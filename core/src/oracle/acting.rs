//! Judging the calls that show a lease: may it act, and what does that come to?
//!
//! It knows sections 2.1 to 2.3 a second time. It deliberately knows no poll.

use super::notes::{Is, Note};
use super::{Heard, Oracle, Property};
use crate::call::{Call, Outcome};
use crate::task::{TaskId, Token};
use alloc::format;
use core::time::Duration;

impl Oracle {
    pub(super) fn acted(&mut self, heard: Heard<'_>, task: &TaskId, token: Token) {
        let now = self.now;
        if let Call::Complete { .. } = heard.call {
            // The work was done before the acknowledgement was sent.
            let key = (heard.queue.clone(), task.clone(), token);
            let work = self.delivered.get(&key).map(|work| work.to_vec());
            let effect = work.map(|work| (heard.queue.clone(), task.clone(), work));
            self.effects.extend(effect);
        }
        let may_act = self
            .note(heard, task)
            .is_some_and(|note| note.may_act(token, now));
        match &heard.answer.outcome {
            Outcome::LeaseLost if may_act => {
                let what = format!(
                    "{} was refused at {now} s, and its lease is live",
                    heard.call
                );
                self.found(Property::OwnerMayAct, what);
            }
            Outcome::LeaseLost => {}
            // It came as far as the log, so it was let through.
            Outcome::Refused(_) if self.log_refuses && !may_act => {
                self.acted_without_right(heard, task, token)
            }
            Outcome::Refused(_) => {
                self.refused(heard, may_act && !matches!(heard.call, Call::Check { .. }))
            }
            _ if !may_act => self.acted_without_right(heard, task, token),
            _ => self.acted_by_right(heard, task),
        }
    }

    fn acted_without_right(&mut self, heard: Heard<'_>, task: &TaskId, token: Token) {
        let now = self.now;
        let ends = matches!(heard.call, Call::Complete { .. });
        let verb = if ends {
            "was acknowledged"
        } else {
            "was acted on"
        };
        let note = self.note(heard, task).cloned();
        let why = match note.map(|note| note.is) {
            Some(Is::Leased { token: newest, .. }) => {
                format!("task {task} {verb} at {now} s by token {token}, its newest is {newest}")
            }
            Some(Is::Visible { since }) => format!(
                "task {task} {verb} at {now} s by token {token}, which was over: it is visible since {since} s"
            ),
            Some(Is::Dead { at }) => format!(
                "task {task} {verb} at {now} s by token {token}, which was over: it is dead since {at} s"
            ),
            Some(Is::Delayed { .. }) => {
                format!("task {task} {verb} at {now} s by token {token}, which had given it up")
            }
            None => format!("task {task} {verb} at {now} s by token {token}, and it is not held"),
        };
        self.found(
            if ends {
                Property::OneAcknowledgement
            } else {
                Property::Fenced
            },
            why,
        );
        match heard.answer.outcome {
            Outcome::Completed { .. } => self.completed(heard, task),
            Outcome::Dropped => drop(self.leaves(heard, task)),
            _ => {}
        }
    }

    fn leaves(&mut self, heard: Heard<'_>, task: &TaskId) -> Option<Note> {
        self.shelves.get_mut(heard.queue)?.leaves(task)
    }

    fn acted_by_right(&mut self, heard: Heard<'_>, task: &TaskId) {
        match heard.call {
            Call::Heartbeat { details, .. } => self.extended(heard, task, details),
            Call::Complete { .. } => self.completed(heard, task),
            Call::Fail { .. } => self.failed(heard, task),
            _ => {}
        }
    }

    fn extended(&mut self, heard: Heard<'_>, task: &TaskId, brought: &str) {
        let now = self.now;
        let Outcome::Extended { deadline: said } = heard.answer.outcome else {
            return;
        };
        let Some(note) = self.note(heard, task) else {
            return;
        };
        if !brought.is_empty() {
            note.details = brought.into();
        }
        let right = now.plus(note.task.visibility);
        if let Is::Leased { deadline, .. } = &mut note.is {
            *deadline = said;
        }
        if said != right {
            let what = format!(
                "a heartbeat at {now} s left task {task} leased until {said} s, one timeout ends at {right} s"
            );
            self.found(Property::LeaseForm, what);
        }
    }

    fn completed(&mut self, heard: Heard<'_>, task: &TaskId) {
        let Some(note) = self.leaves(heard, task) else {
            return;
        };
        let work = note.task.payload.to_vec();
        let effect = (heard.queue.clone(), task.clone(), work);
        if !self.effects.contains(&effect) {
            let what = format!("task {task} was acknowledged, and nobody has applied its effect");
            self.found(Property::EffectsOnce, what);
        }
    }

    fn failed(&mut self, heard: Heard<'_>, task: &TaskId) {
        let Call::Fail {
            error,
            non_retryable,
            retry_after,
            ..
        } = heard.call
        else {
            return;
        };
        let now = self.now;
        let Some(note) = self.note(heard, task) else {
            return;
        };
        let visible_at = now.plus(*retry_after);
        let right = if *non_retryable {
            Outcome::Dropped
        } else if note.attempts >= note.task.max_attempts {
            Outcome::DeadLettered
        } else {
            Outcome::Retrying { visible_at }
        };
        let attempt = note.attempts;
        note.error.clone_from(error);
        note.is = match heard.answer.outcome {
            Outcome::DeadLettered => Is::Dead { at: now },
            _ if *retry_after == Duration::ZERO => Is::Visible { since: now },
            _ => Is::Delayed { until: visible_at },
        };
        if heard.answer.outcome == Outcome::Dropped
            && let Some(shelf) = self.shelves.get_mut(heard.queue)
        {
            shelf.leaves(task);
        }
        let said = &heard.answer.outcome;
        if *said != right {
            let both_retry = matches!(
                (said, &right),
                (Outcome::Retrying { .. }, Outcome::Retrying { .. })
            );
            let property = if both_retry {
                Property::NothingEarly
            } else {
                Property::Disposition
            };
            let what = format!(
                "{} of attempt {attempt} at {now} s came to {said}; it is {right}",
                heard.call
            );
            self.found(property, what);
        }
    }
}
