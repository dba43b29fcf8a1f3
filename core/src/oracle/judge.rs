//! Judging one call: what the chapter says it comes to, beside what was answered.
//!
//! It knows the chapter's sentences, written down a second time. It deliberately takes the queue's answer
//! as true once it was judged, so that one fault is told once.

use super::notes::{Is, Note};
use super::waits::Waiter;
use super::{Heard, Oracle, Property};
use crate::call::{Call, Outcome};
use crate::refusal::Refusal;
use crate::task::{Lease, Phase, Task, TaskId, Token};
use crate::time::Timestamp;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use core::time::Duration;

impl Oracle {
    pub(super) fn judge(&mut self, heard: Heard<'_>) {
        if matches!(
            heard.answer.refusal,
            Some(Refusal::TooLarge { .. } | Refusal::BadName(_))
        ) {
            return; // asked wrongly, whatever the queue is
        }
        match heard.call {
            Call::Enqueue { .. } => self.enqueued(heard),
            Call::Poll => self.polled(heard),
            Call::LongPoll { wait } => self.began_to_wait(heard, *wait),
            Call::Check { task, token }
            | Call::Heartbeat { task, token, .. }
            | Call::Complete { task, token }
            | Call::Fail { task, token, .. } => self.acted(heard, task, *token),
            Call::DeadLetters => self.listed(heard),
            Call::Redrive { tasks } => self.redriven(heard, tasks),
            Call::Depth => self.counted(heard),
            Call::Reopen => self.reopened(heard),
            Call::BreakLog => self.log_refuses = true,
            Call::MendLog => self.log_refuses = false,
            Call::PollReturns => {}
        }
    }

    pub(super) fn note(&mut self, heard: Heard<'_>, task: &TaskId) -> Option<&mut Note> {
        self.shelves.get_mut(heard.queue)?.tasks.get_mut(task)
    }

    fn enqueued(&mut self, heard: Heard<'_>) {
        let Call::Enqueue {
            task,
            payload,
            max_attempts,
            visibility,
        } = heard.call
        else {
            return;
        };
        let held = self.note(heard, task).map(|note| note.phase());
        match (&heard.answer.outcome, held) {
            (Outcome::Added, Some(phase)) => {
                let what = format!("task {task} was added again while it was {phase}");
                self.found(Property::EnqueueOnce, what);
            }
            (Outcome::AlreadyHeld(phase), None) => {
                let what = format!("task {task} is said to be {phase}, and it is not held");
                self.found(Property::NoGhost, what);
            }
            (Outcome::AlreadyHeld(said), Some(phase)) if *said != phase => {
                let what = format!("task {task} is said to be {said}, it is {phase}");
                self.found(Property::NothingLost, what);
            }
            (Outcome::Refused(_), held) => self.refused(heard, held.is_none()),
            _ => {}
        }
        if heard.answer.outcome == Outcome::Added {
            let task = self.options.resolve(&Task {
                id: task.clone(),
                payload: payload.as_str().into(),
                max_attempts: *max_attempts,
                visibility: *visibility,
            });
            let note = Note::new(task.clone(), self.sequence_next, self.now);
            self.sequence_next += 1;
            let shelf = self.shelves.entry(heard.queue.clone()).or_default();
            shelf.tasks.insert(task.id, note);
        }
    }

    fn began_to_wait(&mut self, heard: Heard<'_>, wait: Duration) {
        if heard.answer.outcome != Outcome::Waiting {
            return self.polled(heard);
        }
        let visible = self
            .shelves
            .get(heard.queue)
            .and_then(|it| it.first_visible());
        if let Some((task, since)) = visible {
            let what = format!(
                "{} began to wait at {} s, task {task} is visible since {since} s",
                heard.by, self.now
            );
            self.found(Property::NothingHidden, what);
        }
        self.wait_begins(Waiter {
            by: heard.by.into(),
            queue: heard.queue.clone(),
            began: self.now,
            ends: self.now.plus(wait),
        });
    }

    pub(super) fn polled(&mut self, heard: Heard<'_>) {
        let visible = self
            .shelves
            .get(heard.queue)
            .and_then(|it| it.first_visible())
            .map(|(task, since)| (task.clone(), since));
        match (&heard.answer.outcome, &heard.answer.lease) {
            (Outcome::Leased { .. }, Some(lease)) => self.handed_out(heard, lease, visible),
            (Outcome::Refused(_), _) => self.refused(heard, visible.is_some()),
            (Outcome::NoTask, _) => {
                if let Some((task, since)) = visible {
                    let what = format!(
                        "a poll found nothing at {} s, task {task} is visible since {since} s",
                        self.now
                    );
                    self.found(Property::NothingHidden, what);
                }
            }
            _ => {}
        }
    }

    fn handed_out(&mut self, heard: Heard<'_>, lease: &Lease, first: Option<(TaskId, Timestamp)>) {
        let (task, token, now) = (&lease.task.id, lease.token, self.now);
        if token <= self.token_last {
            let what = format!(
                "token {token} of task {task} came after token {}",
                self.token_last
            );
            self.found(Property::TokensRise, what);
        }
        self.token_last = self.token_last.max(token);
        let Some(note) = self.note(heard, task).cloned() else {
            let what = format!("task {task} went out at {now} s, and the queue does not hold it");
            return self.found(Property::NoGhost, what);
        };
        self.could_go_out(heard, &note, token, first);
        self.goes_out_right(&note, lease);
        let key = (heard.queue.clone(), task.clone(), token);
        self.delivered.insert(key, lease.task.payload.clone());
        if let Some(note) = self.note(heard, task) {
            note.attempts = lease.attempt.0;
            note.is = Is::Leased {
                token,
                deadline: lease.deadline,
            };
        }
    }

    /// Whether the task could be handed out at all, and was the one to be.
    fn could_go_out(
        &mut self,
        heard: Heard<'_>,
        note: &Note,
        token: Token,
        first: Option<(TaskId, Timestamp)>,
    ) {
        let (task, now) = (&note.task.id, self.now);
        let fault = match note.is {
            Is::Leased {
                token: older,
                deadline,
            } => (
                Property::OneLiveLease,
                format!(
                    "task {task} went out as token {token} at {now} s, token {older} ran until {deadline} s"
                ),
            ),
            Is::Delayed { until } => (
                Property::NothingEarly,
                format!("task {task} went out at {now} s, it was hidden until {until} s"),
            ),
            Is::Dead { at } => (
                Property::DeadStayDead,
                format!(
                    "task {task} went out at {now} s, it is dead since {at} s after {} attempts",
                    note.attempts
                ),
            ),
            Is::Visible { since } => match first {
                Some((first, at)) if first != *task => (
                    Property::InOrder,
                    format!(
                        "{} got task {task}, visible since {since} s, before task {first}, visible since {at} s",
                        heard.by
                    ),
                ),
                _ => return,
            },
        };
        self.found(fault.0, fault.1);
    }

    /// Whether the delivery carries what it should.
    fn goes_out_right(&mut self, note: &Note, lease: &Lease) {
        let (task, now) = (&note.task.id, self.now);
        let (attempt, most) = (lease.attempt.0, note.task.max_attempts);
        if attempt != note.attempts + 1 || attempt > most {
            let what = format!(
                "task {task} went out as attempt {attempt} of {most} after {}",
                note.attempts
            );
            self.found(Property::AttemptsCount, what);
        }
        let deadline = now.plus(note.task.visibility);
        if lease.deadline != deadline {
            let what = format!(
                "task {task} is leased until {} s, one timeout ends at {deadline} s",
                lease.deadline
            );
            self.found(Property::LeaseForm, what);
        }
        if lease.task != note.task {
            let what = format!(
                "task {task} was enqueued as {:?} and went out as {:?}",
                note.task, lease.task
            );
            self.found(Property::Fidelity, what);
        }
        if lease.details != note.details {
            let what = format!(
                "task {task} went out with details {:?}, the last heartbeat left {:?}",
                lease.details, note.details
            );
            self.found(Property::DetailsKept, what);
        }
    }

    fn listed(&mut self, heard: Heard<'_>) {
        let right = self
            .shelves
            .get(heard.queue)
            .map(|notes| notes.dead_letters())
            .unwrap_or_default();
        if heard.answer.dead != right {
            let ids: alloc::vec::Vec<_> = right.iter().map(|dead| dead.task.id.as_str()).collect();
            let what = format!(
                "the dead letters are {ids:?}; {} were listed: {}",
                heard.answer.dead.len(),
                heard.answer.outcome
            );
            self.found(Property::DeadStayDead, what);
        }
    }

    fn redriven(&mut self, heard: Heard<'_>, named: &[TaskId]) {
        let now = self.now;
        let notes = self.shelves.entry(heard.queue.clone()).or_default();
        let dead: BTreeSet<TaskId> = notes
            .tasks
            .iter()
            .filter(|(_, note)| note.phase() == Phase::Dead)
            .map(|(id, _)| id.clone())
            .collect();
        let chosen: BTreeSet<TaskId> = if named.is_empty() {
            dead.clone()
        } else {
            named.iter().cloned().collect()
        };
        let right = if chosen.is_subset(&dead) {
            Outcome::Redriven(chosen.len())
        } else {
            Outcome::NotFound
        };
        let said = &heard.answer.outcome;
        if let Outcome::Redriven(_) = said {
            for (_, note) in notes
                .tasks
                .iter_mut()
                .filter(|(id, _)| chosen.contains(*id))
            {
                (note.attempts, note.details, note.error) = (0, Default::default(), String::new());
                note.is = Is::Visible { since: now };
            }
        }
        match said {
            Outcome::Refused(_) => {
                let would_write = matches!(right, Outcome::Redriven(count) if count > 0);
                self.refused(heard, would_write);
            }
            said if *said != right => {
                let what = format!("{} at {now} s came to {said}; it is {right}", heard.call);
                self.found(Property::RedriveWhole, what);
            }
            _ => {}
        }
    }

    fn counted(&mut self, heard: Heard<'_>) {
        let right = Outcome::Depth(
            self.shelves
                .get(heard.queue)
                .map(|notes| notes.depth())
                .unwrap_or_default(),
        );
        if heard.answer.outcome != right {
            let what = format!(
                "at {} s the depth is {}; it should be {right}",
                self.now, heard.answer.outcome
            );
            self.found(Property::NothingLost, what);
        }
    }

    fn reopened(&mut self, heard: Heard<'_>) {
        if let Outcome::Refused(why) = &heard.answer.outcome {
            self.found(Property::LogReplays, why.clone());
        } else {
            self.waiting.clear();
        }
    }

    /// A call failed; that is right only if it would have written a record that the log refuses.
    pub(super) fn refused(&mut self, heard: Heard<'_>, would_write: bool) {
        if !(self.log_refuses && would_write) {
            let what = format!("{} at {} s: {}", heard.call, self.now, heard.answer.outcome);
            self.found(Property::OwnerMayAct, what);
        }
    }
}
