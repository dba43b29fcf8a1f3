//! What each action does to a small world, by the same rules as the real queue's.
//!
//! It asks the rules whatever the queue asks them. It deliberately keeps no log: a test compares each of
//! its transitions with the real queue's.

use super::Scope;
use super::small::{
    ATTEMPT_MAX, Action, Came, Cell, Hand, Is, ROOM, STEP_MAX, Small, TOKEN_MAX, held, leave,
    of_phase, phase_of,
};
use crate::bytes::Bytes;
use crate::rules::Rules;
use crate::task::{Attempt, Disposition, TaskError, Token};
use crate::time::{Timestamp, millis_up};
use core::time::Duration;

/// The rules with what is asked of them again and again.
pub(super) struct Machine<'r, R: Rules> {
    pub(super) rules: &'r R,
    pub(super) scope: Scope,
    step: u64,
    details: Bytes,
    retryable: TaskError,
    for_good: TaskError,
}

impl<'r, R: Rules> Machine<'r, R> {
    pub(super) fn new(rules: &'r R, scope: Scope) -> Self {
        let step = scope.step();
        let retryable = TaskError {
            retry_after: step * u32::from(scope.retry),
            ..TaskError::default()
        };
        Machine {
            rules,
            scope,
            step: millis_up(step).max(1),
            details: Bytes::from("half"),
            for_good: TaskError {
                non_retryable: true,
                ..retryable.clone()
            },
            retryable,
        }
    }

    pub(super) fn instant(&self, step: u8) -> Timestamp {
        Timestamp::from_millis(u64::from(step) * self.step)
    }

    fn steps(&self, at: Timestamp) -> u8 {
        u8::try_from(at.as_millis() / self.step)
            .unwrap_or(STEP_MAX)
            .min(STEP_MAX)
    }

    fn visibility(&self) -> Duration {
        self.scope.step() * u32::from(self.scope.visibility)
    }

    /// The action, carried out.
    pub(super) fn act(&self, small: &mut Small, action: Action) -> Came {
        match action {
            Action::Tick => self.tick(small),
            Action::Enqueue(cell) => self.enqueue(small, cell),
            Action::Poll(worker) => self.poll(small, worker),
            Action::Guess(cell) => self.guess(small, cell),
            Action::Redrive => self.redrive(small),
            Action::Crash => {
                small.crashes += 1;
                let recovered = self
                    .rules
                    .token_after_recovery(Token(small.token_last.into()));
                small.token_last = recovered.0 as u8;
                Came::Done(0)
            }
            Action::BreakLog => {
                (small.failures, small.log_refuses) = (small.failures + 1, true);
                Came::Done(0)
            }
            Action::MendLog => {
                small.log_refuses = false;
                Came::Done(0)
            }
            Action::Complete(worker)
            | Action::Fail(worker)
            | Action::FailForGood(worker)
            | Action::Heartbeat(worker) => self.act_on_lease(small, action, worker),
        }
    }

    /// Decided; now append and apply, in the order that the rules have.
    fn write(&self, small: &mut Small, changed: Small) -> bool {
        let refuses = small.log_refuses;
        if !refuses || !self.rules.record_comes_first() {
            *small = changed;
        }
        !refuses
    }

    fn tick(&self, small: &mut Small) -> Came {
        small.now += 1;
        let now = self.instant(small.now);
        for cell in &mut small.cells {
            match cell.is {
                Is::Delayed if cell.at <= small.now => cell.is = Is::Visible,
                Is::Leased if self.rules.is_expired(now, self.instant(cell.at)) => {
                    let attempt = Attempt(cell.attempt.into());
                    let phase = self
                        .rules
                        .after_expiry(attempt, self.scope.max_attempts.into());
                    cell.is = of_phase(phase);
                }
                _ => {}
            }
        }
        Came::Done(0)
    }

    fn enqueue(&self, small: &mut Small, index: u8) -> Came {
        let cell = small.cells[usize::from(index)];
        if let Some(phase) = phase_of(cell.is)
            && self.rules.keeps_held_task(phase)
        {
            return Came::Nothing;
        }
        let mut changed = *small;
        leave(&mut changed, index);
        let rank = held(&changed);
        changed.cells[usize::from(index)] = Cell {
            is: Is::Visible,
            at: small.now,
            rank,
            lives: (cell.lives + 1).min(3),
            ..Cell::default()
        };
        done(self.write(small, changed), index)
    }

    fn poll(&self, small: &mut Small, worker: u8) -> Came {
        let first = (0..ROOM)
            .filter(|index| small.cells[*index].is == Is::Visible)
            .min_by_key(|index| {
                let cell = &small.cells[*index];
                self.rules
                    .place_in_line(self.instant(cell.at), cell.rank.into())
            });
        let Some(index) = first else {
            small.hands[usize::from(worker)] = Hand::default();
            return Came::Nothing;
        };
        let mut changed = *small;
        let token = self
            .rules
            .token_next(Token(small.token_last.into()))
            .0
            .min(TOKEN_MAX) as u8;
        let cell = &mut changed.cells[index];
        let deadline = self
            .rules
            .deadline(self.instant(small.now), self.visibility());
        (cell.is, cell.token, cell.at) = (Is::Leased, token, self.steps(deadline));
        cell.attempt = self
            .rules
            .attempt_next(Attempt(cell.attempt.into()))
            .0
            .min(ATTEMPT_MAX) as u8;
        changed.token_last = small.token_last.max(token);
        let wrote = self.write(small, changed);
        if wrote {
            small.issued = small.issued.max(token);
            small.hands[usize::from(worker)] = Hand {
                token,
                cell: index as u8,
            };
        } else {
            small.hands[usize::from(worker)] = Hand::default();
        }
        done(wrote, index as u8)
    }

    fn act_on_lease(&self, small: &mut Small, action: Action, worker: u8) -> Came {
        let hand = small.hands[usize::from(worker)];
        let index = hand.cell;
        if !self.may_act(small, hand) {
            small.hands[usize::from(worker)] = Hand::default();
            return Came::Lost;
        }
        let mut changed = *small;
        match action {
            Action::Complete(_) => self.complete(&mut changed, index),
            Action::Heartbeat(_) => self.extend(&mut changed, index),
            Action::FailForGood(_) => self.fail(&mut changed, index, &self.for_good),
            _ => self.fail(&mut changed, index, &self.retryable),
        }
        let wrote = self.write(small, changed);
        if wrote && !matches!(action, Action::Heartbeat(_)) {
            small.hands[usize::from(worker)] = Hand::default();
        }
        done(wrote, index)
    }

    fn may_act(&self, small: &Small, Hand { token, cell }: Hand) -> bool {
        let cell = small.cells[usize::from(cell)];
        let (now, deadline) = (self.instant(small.now), self.instant(cell.at));
        cell.is != Is::Absent
            && cell.token != 0
            && self
                .rules
                .is_newest(Token(token.into()), Token(cell.token.into()))
            && self.rules.is_live(now, deadline)
    }

    fn guess(&self, small: &mut Small, index: u8) -> Came {
        let token = small.cells[usize::from(index)].token + 1;
        if !self.may_act(small, Hand { token, cell: index }) {
            return Came::Lost;
        }
        let mut changed = *small;
        self.complete(&mut changed, index);
        done(self.write(small, changed), index)
    }

    fn complete(&self, small: &mut Small, index: u8) {
        if self.rules.leaves_when_acknowledged() {
            leave(small, index);
        }
    }

    fn extend(&self, small: &mut Small, index: u8) {
        let now = self.instant(small.now);
        let cell = &mut small.cells[usize::from(index)];
        let deadline =
            self.rules
                .deadline_after_heartbeat(now, self.visibility(), self.instant(cell.at));
        let kept = if cell.details {
            self.details.clone()
        } else {
            Bytes::NONE
        };
        let details = self.rules.details_after_heartbeat(&kept, &self.details);
        (cell.is, cell.at, cell.details) = (Is::Leased, self.steps(deadline), !details.is_empty());
    }

    fn fail(&self, small: &mut Small, index: u8, error: &TaskError) {
        let (now, most) = (self.instant(small.now), u32::from(self.scope.max_attempts));
        let cell = &mut small.cells[usize::from(index)];
        let attempt = Attempt(cell.attempt.into());
        match self.rules.disposition(error, attempt, most, now) {
            Disposition::Dropped => leave(small, index),
            Disposition::DeadLettered => (cell.is, cell.at, cell.token) = (Is::Dead, small.now, 0),
            Disposition::Retrying { visible_at } => {
                (cell.at, cell.token) = (self.steps(visible_at), 0);
                cell.is = if visible_at > now {
                    Is::Delayed
                } else {
                    Is::Visible
                };
            }
        }
    }

    fn redrive(&self, small: &mut Small) -> Came {
        let mut changed = *small;
        for cell in changed.cells.iter_mut().filter(|cell| cell.is == Is::Dead) {
            let attempts = self
                .rules
                .attempts_after_redrive(Attempt(cell.attempt.into()));
            *cell = Cell {
                is: Is::Visible,
                at: small.now,
                attempt: attempts.0 as u8,
                token: 0,
                details: false,
                ..*cell
            };
        }
        changed.redrives += 1;
        done(self.write(small, changed), 0)
    }
}

fn done(wrote: bool, cell: u8) -> Came {
    if wrote {
        Came::Done(cell)
    } else {
        Came::Refused
    }
}
