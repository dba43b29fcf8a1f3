//! Explore: everything that can happen to a few tasks and workers in a few steps, fewest calls first.
//!
//! It knows every interleaving of a small scope, each state once. It deliberately judges nothing by
//! itself: a step that looks wrong is played on the real queue, and the oracle's word counts. What it finds
//! is as short as can be, because shorter ways were tried before.

mod machine;
mod packed;
mod path;
mod refines;
mod scope;
mod seen;
mod small;
mod suspicion;

use crate::rules::Rules;
use crate::scenario::Scenario;
use crate::sim::{Red, judge};
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use machine::Machine;
use packed::{Packed, pack, unpack};
use seen::{Seen, Way};
use serde::Serialize;
use small::{Action, Is, Small};

pub use refines::refines;
pub use scope::{Scope, ScopeTooLarge};

/// How far it came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Different states, those that differ only in names counted once.
    pub states: u64,
    /// Steps from a state to a state, those that change nothing included.
    pub transitions: u64,
    /// The most calls that a shortest way to a state takes.
    pub depth: u32,
}

/// A shortest schedule that breaks a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The schedule.
    pub scenario: Scenario,
    /// What it breaks.
    pub red: Red,
}

/// How exploring ended, or stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// There are states that nobody looked at yet.
    Working,
    /// Every state was looked at, and nothing is wrong.
    NoViolation,
    /// There is a way to break a property.
    Broken(Box<Counterexample>),
    /// There are more states than were allowed.
    TooMany,
}

/// An exploration that can be carried on piece by piece.
#[derive(Debug)]
pub struct Explorer<R: Rules + Clone> {
    rules: R,
    scope: Scope,
    actions: Vec<Action>,
    seen: Seen,
    /// States to look at that are as many calls away as the last one, and those one call further.
    here: VecDeque<u32>,
    further: VecDeque<u32>,
    /// What the state that is being looked at leads to.
    reached: Vec<(Packed, Way, bool)>,
    counts: Counts,
    states_max: usize,
}

impl<R: Rules + Clone> Explorer<R> {
    /// Begins with an empty queue; holds at most so many states.
    pub fn new(scope: Scope, rules: R, states_max: usize) -> Result<Self, ScopeTooLarge> {
        let scope = scope.checked()?;
        let (empty, _) = pack(&Small::default(), scope.tasks.into(), scope.workers.into());
        let mut explorer = Explorer {
            rules,
            scope,
            actions: actions(scope),
            seen: Seen::nothing(),
            here: VecDeque::new(),
            further: VecDeque::new(),
            reached: Vec::new(),
            counts: Counts::default(),
            states_max: states_max.min(u32::MAX as usize),
        };
        let way = Way {
            from: 0,
            action: 0,
            calls: 0,
            is_done: false,
        };
        explorer.reach(empty, way, true);
        Ok(explorer)
    }

    /// How far it came.
    pub fn counts(&self) -> Counts {
        Counts {
            states: self.seen.states.len() as u64,
            ..self.counts
        }
    }

    /// Looks at so many more states, fewest calls first.
    pub fn go_on(&mut self, budget: usize) -> Found {
        let rules = self.rules.clone();
        let machine = Machine::new(&rules, self.scope);
        for _ in 0..budget {
            if self.here.is_empty() {
                core::mem::swap(&mut self.here, &mut self.further);
            }
            let Some(state) = self.here.pop_front() else {
                return Found::NoViolation;
            };
            let way = &mut self.seen.ways[state as usize];
            if core::mem::replace(&mut way.is_done, true) {
                continue; // it was reached by fewer calls meanwhile
            }
            self.counts.depth = self.counts.depth.max(way.calls.into());
            if let Some(broken) = self.look_at(&machine, state) {
                return Found::Broken(Box::new(broken));
            }
            if self.seen.states.len() > self.states_max {
                return Found::TooMany;
            }
        }
        Found::Working
    }

    /// Looks at all of them.
    pub fn finish(&mut self) -> Found {
        loop {
            match self.go_on(usize::MAX) {
                Found::Working => {}
                found => return found,
            }
        }
    }

    fn look_at(&mut self, machine: &Machine<'_, R>, state: u32) -> Option<Counterexample> {
        let before = unpack(self.seen.states[state as usize]);
        let calls = self.seen.ways[state as usize].calls;
        for code in 0..self.actions.len() {
            let action = self.actions[code];
            if !is_possible(self.scope, &before, action) {
                continue;
            }
            self.counts.transitions += 1;
            let mut after = before;
            let came = machine.act(&mut after, action);
            let is_call = action != Action::Tick;
            let way = Way {
                from: state,
                action: code as u8,
                calls: calls.saturating_add(is_call.into()),
                is_done: false,
            };
            let looks_right = suspicion::looks_right(self.scope, &before, action, came, &after);
            if before.suspicious || !looks_right {
                after.suspicious = true;
                let scenario = self.scenario_of(machine, way);
                if let Some(red) = judge(&scenario, self.rules.clone()) {
                    return Some(Counterexample { scenario, red });
                }
            }
            if after != before {
                let (packed, _) = pack(&after, self.scope.tasks.into(), self.scope.workers.into());
                if !self.seen.was_just_seen(packed, way.calls) {
                    self.reached.push((packed, way, !is_call));
                }
            }
        }
        // All at once, so that the look-ups wait for memory together and not one after the other.
        let reached = core::mem::take(&mut self.reached);
        for (packed, way, is_here) in &reached {
            self.reach(*packed, *way, *is_here);
        }
        self.reached = reached;
        self.reached.clear();
        None
    }

    /// A state is to be looked at, unless it was reached by as few calls before.
    fn reach(&mut self, packed: Packed, way: Way, is_here: bool) {
        if let Some(state) = self.seen.reach(packed, way) {
            let list = if is_here {
                &mut self.here
            } else {
                &mut self.further
            };
            list.push_back(state);
        }
    }

    fn actions_to(&self, state: usize) -> Vec<Action> {
        let codes = self.seen.actions_to(state).into_iter();
        codes.map(|code| self.actions[usize::from(code)]).collect()
    }

    fn scenario_of(&self, machine: &Machine<'_, R>, last: Way) -> Scenario {
        let mut actions = self.actions_to(last.from as usize);
        actions.push(self.actions[usize::from(last.action)]);
        path::scenario(machine, actions.into_iter())
    }
}

/// Everything that can ever happen in a scope.
fn actions(scope: Scope) -> Vec<Action> {
    let mut all = alloc::vec![Action::Tick];
    all.extend((0..scope.tasks).map(Action::Enqueue));
    if scope.guesses {
        all.extend((0..scope.tasks).map(Action::Guess));
    }
    for worker in 0..scope.workers {
        all.extend([
            Action::Poll(worker),
            Action::Complete(worker),
            Action::Fail(worker),
            Action::FailForGood(worker),
            Action::Heartbeat(worker),
        ]);
    }
    all.extend([
        Action::Redrive,
        Action::Crash,
        Action::BreakLog,
        Action::MendLog,
    ]);
    all
}

/// Whether it can happen now. Of tasks or workers that differ only in their names, the first stands for all.
fn is_possible(scope: Scope, small: &Small, action: Action) -> bool {
    let same_hand = |worker: u8| {
        worker > 0 && {
            let worker = usize::from(worker);
            small.hands[worker - 1] == small.hands[worker]
        }
    };
    match action {
        Action::Tick => small.now < scope.horizon,
        Action::Enqueue(cell) => {
            let index = usize::from(cell);
            let first = index == 0 || small.cells[index - 1] != small.cells[index];
            let may_live =
                small.cells[index].is != Is::Absent || small.cells[index].lives < scope.lives;
            first && may_live
        }
        Action::Guess(cell) => small.cells[usize::from(cell)].is != Is::Absent,
        Action::Poll(worker) => !same_hand(worker),
        Action::Complete(worker)
        | Action::Fail(worker)
        | Action::FailForGood(worker)
        | Action::Heartbeat(worker) => {
            small.hands[usize::from(worker)].token != 0 && !same_hand(worker)
        }
        Action::Redrive => {
            small.redrives < scope.redrives && small.cells.iter().any(|cell| cell.is == Is::Dead)
        }
        Action::Crash => small.crashes < scope.crashes,
        Action::BreakLog => !small.log_refuses && small.failures < scope.failures,
        Action::MendLog => small.log_refuses,
    }
}
