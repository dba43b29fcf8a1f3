//! A way through the small world, as a schedule of calls with names.
//!
//! It knows which call each action is, and who is who although tasks and workers were renamed on the way.
//! It deliberately judges nothing.

use super::machine::Machine;
use super::packed::pack;
use super::small::{Action, ROOM, Small};
use crate::call::Call;
use crate::rules::Rules;
use crate::scenario::{Planned, Row, Scenario};
use crate::sim::scenario_of;
use crate::task::{Options, QueueName, TaskId, Token};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

/// Who the renamed tasks and workers are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Names {
    pub(super) tasks: [u8; ROOM],
    pub(super) workers: [u8; ROOM],
}

impl Names {
    pub(super) const FIRST: Names = Names {
        tasks: [0, 1, 2],
        workers: [0, 1, 2],
    };

    /// The world after an action, its tasks and workers renamed, and who they are.
    pub(super) fn follow<R: Rules>(
        self,
        machine: &Machine<'_, R>,
        after: &Small,
    ) -> (Small, Names) {
        let (tasks, workers) = (machine.scope.tasks.into(), machine.scope.workers.into());
        let (packed, renamed) = pack(after, tasks, workers);
        let names = Names {
            tasks: renamed.cells.map(|before| self.tasks[usize::from(before)]),
            workers: renamed
                .hands
                .map(|before| self.workers[usize::from(before)]),
        };
        (super::packed::unpack(packed), names)
    }

    fn worker(self, worker: u8) -> String {
        format!("worker {}", self.workers[usize::from(worker)] + 1)
    }
}

/// The schedule of a way from the empty queue.
pub(super) fn scenario<R: Rules>(
    machine: &Machine<'_, R>,
    actions: impl Iterator<Item = Action>,
) -> Scenario {
    let (mut small, mut names, mut rows) = (Small::default(), Names::FIRST, Vec::new());
    for action in actions {
        if let Some((by, call)) = call_of(machine, &small, names, action) {
            rows.push(Row {
                at: machine.instant(small.now),
                calls: alloc::vec![Planned::new(by, call)],
            });
        }
        machine.act(&mut small, action);
        (small, names) = names.follow(machine, &small);
    }
    let options = Options {
        visibility: Duration::from_secs(30),
        max_attempts: machine.scope.max_attempts.into(),
    };
    scenario_of(
        String::from("A shortest way, found by exploring"),
        queue(),
        options,
        rows,
    )
}

/// Who calls what; nothing for a step of the clock.
pub(super) fn call_of<R: Rules>(
    machine: &Machine<'_, R>,
    small: &Small,
    names: Names,
    action: Action,
) -> Option<(String, Call)> {
    let hand = |worker: u8| {
        let hand = small.hands[usize::from(worker)];
        let task = id(names.tasks[usize::from(hand.cell)]);
        (names.worker(worker), task, Token(hand.token.into()))
    };
    let fail = |worker, non_retryable| {
        let (by, task, token) = hand(worker);
        let retry_after = machine.scope.step() * u32::from(machine.scope.retry);
        let error = String::new();
        (
            by,
            Call::Fail {
                task,
                token,
                error,
                non_retryable,
                retry_after,
            },
        )
    };
    let said = |by: &str, call| (String::from(by), call);
    Some(match action {
        Action::Tick => return None,
        Action::Enqueue(cell) => {
            let task = id(names.tasks[usize::from(cell)]);
            let (payload, max_attempts, visibility) = (String::new(), 0, Duration::ZERO);
            said(
                "producer",
                Call::Enqueue {
                    task,
                    payload,
                    max_attempts,
                    visibility,
                },
            )
        }
        Action::Poll(worker) => (names.worker(worker), Call::Poll),
        Action::Complete(worker) => {
            let (by, task, token) = hand(worker);
            (by, Call::Complete { task, token })
        }
        Action::Fail(worker) => fail(worker, false),
        Action::FailForGood(worker) => fail(worker, true),
        Action::Heartbeat(worker) => {
            let (by, task, token) = hand(worker);
            (
                by,
                Call::Heartbeat {
                    task,
                    token,
                    details: String::from("half"),
                },
            )
        }
        Action::Guess(cell) => {
            let task = id(names.tasks[usize::from(cell)]);
            let token = Token(u64::from(small.cells[usize::from(cell)].token) + 1);
            said("stranger", Call::Complete { task, token })
        }
        Action::Redrive => said("operator", Call::Redrive { tasks: Vec::new() }),
        Action::Crash => said("server", Call::Reopen),
        Action::BreakLog => said("server", Call::BreakLog),
        Action::MendLog => said("server", Call::MendLog),
    })
}

/// The queue that small worlds are about.
pub(super) fn queue() -> QueueName {
    QueueName::new("data").unwrap_or_else(|_| unreachable!("a short name"))
}

/// a, b and c.
pub(super) fn id(number: u8) -> TaskId {
    let letter = char::from(b'a' + number);
    TaskId::new(String::from(letter)).unwrap_or_else(|_| unreachable!("one letter is a short id"))
}
