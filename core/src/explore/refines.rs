//! Whether the small world is the real queue: every transition of a scope, tried on both.
//!
//! It knows what a look at the real queue shows and where that stands in the small world. It deliberately
//! shares no code with what it compares.

use super::machine::Machine;
use super::path::{Names, call_of, id, queue};
use super::small::{Action, Cell, Is, Small, phase_of};
use super::{Explorer, Scope, actions, is_possible};
use crate::bench::Bench;
use crate::picture::Picture;
use crate::rules::Rules;
use crate::task::{Options, Phase};
use crate::time::Timestamp;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

/// Compares every transition from the first so many states of a scope; says how many, or the first that
/// differs.
pub fn refines<R: Rules + Clone>(scope: Scope, rules: R, states: usize) -> Result<u64, String> {
    let scope = scope.checked().map_err(|error| format!("{error}"))?;
    let machine = Machine::new(&rules, scope);
    let mut explorer =
        Explorer::new(scope, rules.clone(), usize::MAX).map_err(|error| format!("{error}"))?;
    explorer.go_on(states);
    let options = Options {
        visibility: Duration::from_secs(30),
        max_attempts: scope.max_attempts.into(),
    };
    let start = Walk {
        small: Small::default(),
        names: Names::FIRST,
        bench: Bench::new(queue(), rules.clone(), options),
    };
    let mut compared = 0;
    for state in 0..states.min(explorer.seen.states.len()) {
        let mut here = start.clone();
        for action in explorer.actions_to(state) {
            here.step(&machine, action);
        }
        for action in actions(scope) {
            if is_possible(scope, &here.small, action) {
                let mut there = here.clone();
                there.step(&machine, action);
                there.compare(&machine, action)?;
                compared += 1;
            }
        }
    }
    Ok(compared)
}

/// Both at the same place.
#[derive(Clone)]
struct Walk<R: Rules + Clone> {
    small: Small,
    names: Names,
    bench: Bench<R>,
}

impl<R: Rules + Clone> Walk<R> {
    fn step(&mut self, machine: &Machine<'_, R>, action: Action) {
        let now = machine.instant(self.small.now);
        if let Some((by, call)) = call_of(machine, &self.small, self.names, action) {
            call.carry_out(&mut self.bench, now, &by);
        }
        machine.act(&mut self.small, action);
        (self.small, self.names) = self.names.follow(machine, &self.small);
    }

    fn compare(&mut self, machine: &Machine<'_, R>, action: Action) -> Result<(), String> {
        let picture = self.bench.picture(machine.instant(self.small.now));
        let here = seen_small(machine, &self.small, self.names);
        let there = seen_real(&picture);
        if here == there && picture.token_last.0 == u64::from(self.small.token_last) {
            return Ok(());
        }
        Err(format!(
            "after {action:?} the small world has {here:?}, the queue has {there:?}"
        ))
    }
}

/// A task as both can show it: id, phase, attempt, token, instant, whether it has details.
type Seen = (String, Phase, u32, u64, Timestamp, bool);

fn seen_small<R: Rules>(machine: &Machine<'_, R>, small: &Small, names: Names) -> Vec<Seen> {
    let mut held: Vec<(u8, Seen)> = Vec::new();
    for (index, cell) in small.cells.iter().enumerate() {
        let Cell {
            is,
            at,
            attempt,
            token,
            details,
            rank,
            ..
        } = *cell;
        let Some(phase) = phase_of(is) else { continue };
        let token = if is == Is::Leased {
            u64::from(token)
        } else {
            0
        };
        let name = format!("{}", id(names.tasks[index]));
        held.push((
            rank,
            (
                name,
                phase,
                attempt.into(),
                token,
                machine.instant(at),
                details,
            ),
        ));
    }
    held.sort_by_key(|(rank, _)| *rank);
    held.into_iter().map(|(_, seen)| seen).collect()
}

fn seen_real(picture: &Picture) -> Vec<Seen> {
    let tasks = picture.tasks.iter();
    tasks
        .map(|task| {
            let lease = task.lease.as_ref();
            let at = lease
                .map(|lease| lease.deadline)
                .or(task.visible_at)
                .unwrap_or(task.since);
            let token = lease.map_or(0, |lease| lease.token.0);
            let id = format!("{}", task.id);
            (
                id,
                task.phase,
                task.attempt.0,
                token,
                at,
                !task.details.is_empty(),
            )
        })
        .collect()
}
