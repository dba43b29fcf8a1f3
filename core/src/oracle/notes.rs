//! The oracle's notes: what a queue must be, from the calls and answers so far.
//!
//! It knows each task's story in the chapter's words, in a plain list. It deliberately shares nothing with
//! the queue it judges: not its state, not its rules.

use crate::bytes::Bytes;
use crate::task::{DeadLetter, Depth, Phase, Task, TaskId, Token};
use crate::time::Timestamp;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

/// What the dead letter of an expired last attempt says, by the project's decisions.
const EXPIRED: &str = "lease expired";

/// One task's story.
#[derive(Clone, Debug)]
pub(super) struct Note {
    pub(super) task: Task,
    /// Its number among all enqueues: it tells one life of an id from the next.
    pub(super) sequence: u64,
    pub(super) attempts: u32,
    pub(super) details: Bytes,
    pub(super) error: String,
    pub(super) is: Is,
}

/// What a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Is {
    Visible { since: Timestamp },
    Delayed { until: Timestamp },
    Leased { token: Token, deadline: Timestamp },
    Dead { at: Timestamp },
}

impl Note {
    pub(super) fn new(task: Task, sequence: u64, now: Timestamp) -> Self {
        Note {
            task,
            sequence,
            attempts: 0,
            details: Bytes::NONE,
            error: String::new(),
            is: Is::Visible { since: now },
        }
    }

    pub(super) fn phase(&self) -> Phase {
        match self.is {
            Is::Visible { .. } => Phase::Visible,
            Is::Delayed { .. } => Phase::Delayed,
            Is::Leased { .. } => Phase::Leased,
            Is::Dead { .. } => Phase::Dead,
        }
    }

    /// True if this token may act on the task now: it is the newest, and its deadline is ahead.
    pub(super) fn may_act(&self, token: Token, now: Timestamp) -> bool {
        matches!(self.is, Is::Leased { token: newest, deadline } if newest == token && now < deadline)
    }

    fn settle(&mut self, now: Timestamp) {
        match self.is {
            Is::Delayed { until } if until <= now => self.is = Is::Visible { since: until },
            Is::Leased { deadline, .. } if deadline <= now => {
                self.error = EXPIRED.into();
                self.is = if self.attempts >= self.task.max_attempts {
                    Is::Dead { at: deadline }
                } else {
                    Is::Visible { since: deadline }
                };
            }
            _ => {}
        }
    }
}

/// One queue's tasks.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    pub(super) tasks: BTreeMap<TaskId, Note>,
    /// The ids of tasks that have left.
    pub(super) left: BTreeSet<TaskId>,
    /// How many leases expired so far, and how many tasks died of it.
    pub(super) expired: usize,
    pub(super) died: usize,
}

impl Notes {
    /// A task leaves.
    pub(super) fn leaves(&mut self, task: &TaskId) -> Option<Note> {
        self.left.insert(task.clone());
        self.tasks.remove(task)
    }

    pub(super) fn settle(&mut self, now: Timestamp) {
        for note in self.tasks.values_mut() {
            let was = note.phase();
            note.settle(now);
            self.expired += usize::from(was == Phase::Leased && note.phase() != was);
            self.died += usize::from(was == Phase::Leased && note.phase() == Phase::Dead);
        }
    }

    /// Which task a poll must get, and since when it is visible.
    pub(super) fn first_visible(&self) -> Option<(&TaskId, Timestamp)> {
        let visible = self.tasks.iter().filter_map(|(id, note)| match note.is {
            Is::Visible { since } => Some(((since, note.sequence), id)),
            _ => None,
        });
        visible.min().map(|((since, _), id)| (id, since))
    }

    pub(super) fn depth(&self) -> Depth {
        let mut depth = Depth::default();
        for note in self.tasks.values() {
            *match note.phase() {
                Phase::Visible => &mut depth.visible,
                Phase::Delayed => &mut depth.delayed,
                Phase::Leased => &mut depth.leased,
                Phase::Dead => &mut depth.dead,
            } += 1;
        }
        depth
    }

    pub(super) fn dead_letters(&self) -> Vec<DeadLetter> {
        let mut dead: Vec<(u64, DeadLetter)> = self
            .tasks
            .values()
            .filter_map(|note| {
                let Is::Dead { at } = note.is else {
                    return None;
                };
                let letter = DeadLetter {
                    task: note.task.clone(),
                    attempts: crate::task::Attempt(note.attempts),
                    last_error: note.error.clone(),
                    at,
                };
                Some((note.sequence, letter))
            })
            .collect();
        dead.sort_by_key(|(sequence, _)| *sequence);
        dead.into_iter().map(|(_, letter)| letter).collect()
    }
}
