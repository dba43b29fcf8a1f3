//! The small world of `core/src/explore` once more, written for stateright the way its users write models:
//! plain structs, the chapter's rules in place, tasks and workers sorted so that names do not count.
//!
//! It knows the same actions and limits. It deliberately shares no code with the core.

use stateright::{Model, Property};

const TASKS: usize = 2;
const WORKERS: usize = 2;
const VISIBILITY: u8 = 2;
const RETRY: u8 = 1;

/// Two tasks, two workers, one of each fault.
#[derive(Clone, Debug)]
pub(crate) struct Leases {
    pub(crate) max_attempts: u8,
    pub(crate) horizon: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Is {
    Visible,
    Delayed,
    Leased,
    Dead,
    Absent,
}

/// A held task stands by its rank; an id that is not held comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Task {
    rank: u8,
    lives: u8,
    is: Is,
    at: u8,
    attempt: u8,
    token: u8,
    details: bool,
}

const ABSENT: Task = Task {
    rank: u8::MAX,
    lives: 0,
    is: Is::Absent,
    at: 0,
    attempt: 0,
    token: 0,
    details: false,
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    now: u8,
    token_last: u8,
    crashes: u8,
    failures: u8,
    redrives: u8,
    log_refuses: bool,
    tasks: [Task; TASKS],
    /// Token and task.
    hands: [Option<(u8, usize)>; WORKERS],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Tick,
    Enqueue(usize),
    Poll(usize),
    Complete(usize),
    Fail(usize),
    FailForGood(usize),
    Heartbeat(usize),
    Redrive,
    Crash,
    BreakLog,
    MendLog,
}

impl World {
    fn held(&self) -> u8 {
        self.tasks
            .iter()
            .filter(|task| task.is != Is::Absent)
            .count() as u8
    }

    fn may_act(&self, worker: usize) -> Option<usize> {
        let (token, task) = self.hands[worker]?;
        let held = &self.tasks[task];
        (held.is == Is::Leased && held.token == token && self.now < held.at).then_some(task)
    }

    fn leave(&mut self, index: usize) {
        let gone = self.tasks[index];
        self.tasks[index] = Task {
            lives: gone.lives,
            ..ABSENT
        };
        for task in &mut self.tasks {
            if task.is != Is::Absent && task.rank > gone.rank {
                task.rank -= 1;
            }
        }
    }

    fn tick(&mut self, max_attempts: u8) {
        self.now += 1;
        for task in &mut self.tasks {
            if task.at <= self.now {
                task.is = match task.is {
                    Is::Delayed => Is::Visible,
                    Is::Leased if task.attempt < max_attempts => Is::Visible,
                    Is::Leased => Is::Dead,
                    is => is,
                };
            }
        }
    }

    fn enqueue(&mut self, index: usize) {
        let task = self.tasks[index];
        if task.is == Is::Absent && !self.log_refuses {
            self.tasks[index] = Task {
                rank: self.held(),
                lives: task.lives + 1,
                is: Is::Visible,
                at: self.now,
                ..ABSENT
            };
        }
    }

    fn poll(&mut self, worker: usize) {
        self.hands[worker] = None;
        let visible = (0..TASKS).filter(|index| self.tasks[*index].is == Is::Visible);
        let first = visible.min_by_key(|index| (self.tasks[*index].at, self.tasks[*index].rank));
        let Some(index) = first.filter(|_| !self.log_refuses) else {
            return;
        };
        self.token_last += 1;
        let task = &mut self.tasks[index];
        task.is = Is::Leased;
        task.at = self.now + VISIBILITY;
        task.attempt += 1;
        task.token = self.token_last;
        self.hands[worker] = Some((self.token_last, index));
    }

    fn act(&mut self, worker: usize, action: Action, max_attempts: u8) {
        let Some(index) = self.may_act(worker) else {
            self.hands[worker] = None;
            return;
        };
        if self.log_refuses {
            return;
        }
        let now = self.now;
        let task = &mut self.tasks[index];
        match action {
            Action::Heartbeat(_) => {
                (task.at, task.details) = (now + VISIBILITY, true);
                return;
            }
            Action::Fail(_) if task.attempt >= max_attempts => {
                (task.is, task.at, task.token) = (Is::Dead, now, 0);
            }
            Action::Fail(_) => (task.is, task.at, task.token) = (Is::Delayed, now + RETRY, 0),
            _ => self.leave(index),
        }
        self.hands[worker] = None;
    }

    fn redrive(&mut self) {
        if self.log_refuses {
            return;
        }
        self.redrives += 1;
        for task in self.tasks.iter_mut().filter(|task| task.is == Is::Dead) {
            (task.is, task.at, task.attempt) = (Is::Visible, self.now, 0);
            (task.token, task.details) = (0, false);
        }
    }

    /// The same world with its tasks and workers in order.
    fn in_order(mut self) -> Self {
        if self.tasks[1] < self.tasks[0] {
            self.tasks.swap(0, 1);
            for hand in self.hands.iter_mut().flatten() {
                hand.1 = 1 - hand.1;
            }
        }
        self.hands.sort_unstable();
        self
    }
}

impl Model for Leases {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        vec![World {
            now: 0,
            token_last: 0,
            crashes: 0,
            failures: 0,
            redrives: 0,
            log_refuses: false,
            tasks: [ABSENT; TASKS],
            hands: [None; WORKERS],
        }]
    }

    fn actions(&self, world: &World, actions: &mut Vec<Action>) {
        if world.now < self.horizon {
            actions.push(Action::Tick);
        }
        for (index, task) in world.tasks.iter().enumerate() {
            let is_first = index == 0 || world.tasks[index - 1] != *task;
            if is_first && (task.is != Is::Absent || task.lives == 0) {
                actions.push(Action::Enqueue(index));
            }
        }
        for worker in 0..WORKERS {
            if worker > 0 && world.hands[worker - 1] == world.hands[worker] {
                continue;
            }
            actions.push(Action::Poll(worker));
            if world.hands[worker].is_some() {
                actions.extend([
                    Action::Complete(worker),
                    Action::Fail(worker),
                    Action::FailForGood(worker),
                    Action::Heartbeat(worker),
                ]);
            }
        }
        if world.redrives == 0 && world.tasks.iter().any(|task| task.is == Is::Dead) {
            actions.push(Action::Redrive);
        }
        if world.crashes == 0 {
            actions.push(Action::Crash);
        }
        if world.log_refuses {
            actions.push(Action::MendLog);
        } else if world.failures == 0 {
            actions.push(Action::BreakLog);
        }
    }

    fn next_state(&self, world: &World, action: Action) -> Option<World> {
        let mut next = world.clone();
        match action {
            Action::Tick => next.tick(self.max_attempts),
            Action::Enqueue(index) => next.enqueue(index),
            Action::Poll(worker) => next.poll(worker),
            Action::Complete(worker)
            | Action::Fail(worker)
            | Action::FailForGood(worker)
            | Action::Heartbeat(worker) => next.act(worker, action, self.max_attempts),
            Action::Redrive => next.redrive(),
            Action::Crash => next.crashes += 1,
            Action::BreakLog => (next.failures, next.log_refuses) = (1, true),
            Action::MendLog => next.log_refuses = false,
        }
        Some(next.in_order())
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("a lease has its form", |model: &Leases, world: &World| {
                world.tasks.iter().all(|task| {
                    let attempts = 1..=model.max_attempts;
                    let ahead = task.at > world.now && task.at <= world.now + VISIBILITY;
                    task.is != Is::Leased || (attempts.contains(&task.attempt) && ahead)
                })
            }),
            Property::always("tokens are handed out once", |_, world: &World| {
                let [one, other] = world.tasks.map(|task| task.token);
                one.max(other) <= world.token_last && (one == 0 || one != other)
            }),
            Property::always(
                "the dead had every attempt",
                |model: &Leases, world: &World| {
                    let mut dead = world.tasks.iter().filter(|task| task.is == Is::Dead);
                    dead.all(|task| task.attempt == model.max_attempts)
                },
            ),
        ]
    }
}
