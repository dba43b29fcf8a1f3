//! A second queue, built as differently as can be: a list, looked through from end to end at every call.
//!
//! It knows the chapter and the decisions, read afresh. It deliberately shares nothing with the core but the
//! names of calls and outcomes, has no log and no limit, and is slow.

use fencepost_core::call::{Call, DeadLine, Outcome};
use fencepost_core::task::{Attempt, Depth, Phase, TaskId, Token};
use fencepost_core::time::Timestamp;
use std::time::Duration;

/// A list of tasks and two counters.
#[derive(Clone, Debug, Default)]
pub struct Naive {
    tasks: Vec<Entry>,
    now: Timestamp,
    tokens: u64,
    sequence: u64,
    /// How many were added, acknowledged and dropped.
    pub counts: [usize; 3],
}

#[derive(Clone, Debug)]
struct Entry {
    id: TaskId,
    sequence: u64,
    max_attempts: u32,
    visibility: Duration,
    attempt: u32,
    is: Is,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Is {
    /// Visible from this instant on, which may be to come.
    Waiting(Timestamp),
    Leased {
        token: u64,
        deadline: Timestamp,
    },
    Dead(Timestamp),
}

/// What the defaults of a task are.
#[derive(Clone, Copy, Debug)]
pub struct Defaults {
    /// V.
    pub visibility: Duration,
    /// M.
    pub max_attempts: u32,
}

impl Naive {
    /// How many tasks it holds.
    pub fn held(&self) -> usize {
        self.tasks.len()
    }

    /// What the chapter says the call comes to.
    pub fn call(&mut self, now: Timestamp, call: &Call, defaults: Defaults) -> Outcome {
        self.now = self.now.max(now);
        self.end_leases();
        match call {
            Call::Enqueue {
                task,
                max_attempts,
                visibility,
                ..
            } => self.enqueue(task, *max_attempts, *visibility, defaults),
            // It has nobody who waits, and no log.
            Call::Poll | Call::LongPoll { .. } | Call::PollReturns => self.poll(),
            Call::BreakLog | Call::MendLog => Outcome::Done,
            Call::Check { task, token } => self.with_lease(task, *token, |_, _| Outcome::Live),
            Call::Heartbeat { task, token, .. } => self.with_lease(task, *token, |entry, now| {
                let deadline = now.plus(entry.visibility);
                entry.is = Is::Leased {
                    token: token.0,
                    deadline,
                };
                Outcome::Extended { deadline }
            }),
            Call::Complete { task, token } => self.complete(task, *token),
            Call::Fail {
                task,
                token,
                non_retryable,
                retry_after,
                ..
            } => self.fail(task, *token, *non_retryable, *retry_after),
            Call::DeadLetters => Outcome::DeadLetters(self.dead_letters()),
            Call::Redrive { tasks } => self.redrive(tasks),
            Call::Depth => Outcome::Depth(self.depth()),
            Call::Reopen => Outcome::Reopened,
        }
    }

    fn end_leases(&mut self) {
        for entry in &mut self.tasks {
            if let Is::Leased { deadline, .. } = entry.is
                && deadline <= self.now
            {
                let dies = entry.attempt >= entry.max_attempts;
                entry.is = if dies {
                    Is::Dead(deadline)
                } else {
                    Is::Waiting(deadline)
                };
            }
        }
    }

    fn find(&mut self, task: &TaskId) -> Option<&mut Entry> {
        self.tasks.iter_mut().find(|entry| entry.id == *task)
    }

    fn phase(&self, entry: &Entry) -> Phase {
        match entry.is {
            Is::Waiting(from) if from <= self.now => Phase::Visible,
            Is::Waiting(_) => Phase::Delayed,
            Is::Leased { .. } => Phase::Leased,
            Is::Dead(_) => Phase::Dead,
        }
    }

    fn enqueue(
        &mut self,
        task: &TaskId,
        max_attempts: u32,
        visibility: Duration,
        defaults: Defaults,
    ) -> Outcome {
        if let Some(entry) = self.tasks.iter().find(|entry| entry.id == *task) {
            return Outcome::AlreadyHeld(self.phase(entry));
        }
        self.counts[0] += 1;
        self.sequence += 1;
        self.tasks.push(Entry {
            id: task.clone(),
            sequence: self.sequence,
            max_attempts: if max_attempts == 0 {
                defaults.max_attempts
            } else {
                max_attempts
            },
            visibility: if visibility.is_zero() {
                defaults.visibility
            } else {
                visibility
            },
            attempt: 0,
            is: Is::Waiting(self.now),
        });
        Outcome::Added
    }

    fn poll(&mut self) -> Outcome {
        let now = self.now;
        let ready = |entry: &&mut Entry| matches!(entry.is, Is::Waiting(from) if from <= now);
        let since = |entry: &&mut Entry| match entry.is {
            Is::Waiting(from) => (from, entry.sequence),
            _ => unreachable!("only those that wait are looked at"),
        };
        let Some(entry) = self.tasks.iter_mut().filter(ready).min_by_key(since) else {
            return Outcome::NoTask;
        };
        self.tokens += 1;
        entry.attempt += 1;
        let deadline = now.plus(entry.visibility);
        entry.is = Is::Leased {
            token: self.tokens,
            deadline,
        };
        Outcome::Leased {
            task: entry.id.clone(),
            attempt: Attempt(entry.attempt),
            token: Token(self.tokens),
            deadline,
        }
    }

    fn with_lease(
        &mut self,
        task: &TaskId,
        given: Token,
        act: impl FnOnce(&mut Entry, Timestamp) -> Outcome,
    ) -> Outcome {
        let now = self.now;
        match self.find(task) {
            Some(entry) if matches!(entry.is, Is::Leased { token, .. } if token == given.0) => {
                act(entry, now)
            }
            _ => Outcome::LeaseLost,
        }
    }

    fn complete(&mut self, task: &TaskId, token: Token) -> Outcome {
        let done = self.with_lease(task, token, |_, _| Outcome::Completed {
            task: task.clone(),
        });
        if done != Outcome::LeaseLost {
            self.counts[1] += 1;
            self.tasks.retain(|entry| entry.id != *task);
        }
        done
    }

    fn fail(
        &mut self,
        task: &TaskId,
        token: Token,
        non_retryable: bool,
        retry_after: Duration,
    ) -> Outcome {
        let failed = self.with_lease(task, token, |entry, now| {
            let visible_at = now.plus(retry_after);
            if non_retryable {
                Outcome::Dropped
            } else if entry.attempt >= entry.max_attempts {
                entry.is = Is::Dead(now);
                Outcome::DeadLettered
            } else {
                entry.is = Is::Waiting(visible_at);
                Outcome::Retrying { visible_at }
            }
        });
        if failed == Outcome::Dropped {
            self.counts[2] += 1;
            self.tasks.retain(|entry| entry.id != *task);
        }
        failed
    }

    fn dead_letters(&self) -> Vec<DeadLine> {
        let dead = |entry: &Entry| match entry.is {
            Is::Dead(at) => Some(DeadLine {
                task: entry.id.clone(),
                attempts: Attempt(entry.attempt),
                at,
            }),
            _ => None,
        };
        // The list is in enqueue order: tasks are pushed at its end, and their place is kept.
        self.tasks.iter().filter_map(dead).collect()
    }

    fn redrive(&mut self, tasks: &[TaskId]) -> Outcome {
        let dead: Vec<TaskId> = self
            .dead_letters()
            .into_iter()
            .map(|line| line.task)
            .collect();
        if tasks.iter().any(|task| !dead.contains(task)) {
            return Outcome::NotFound;
        }
        let chosen: Vec<TaskId> = dead
            .into_iter()
            .filter(|task| tasks.is_empty() || tasks.contains(task))
            .collect();
        let now = self.now;
        for task in &chosen {
            if let Some(entry) = self.find(task) {
                (entry.attempt, entry.is) = (0, Is::Waiting(now));
            }
        }
        Outcome::Redriven(chosen.len())
    }

    fn depth(&self) -> Depth {
        let mut depth = Depth::default();
        for entry in &self.tasks {
            *match self.phase(entry) {
                Phase::Visible => &mut depth.visible,
                Phase::Delayed => &mut depth.delayed,
                Phase::Leased => &mut depth.leased,
                Phase::Dead => &mut depth.dead,
            } += 1;
        }
        depth
    }
}
