//! Shrinking: a schedule that breaks a property becomes a smallest one that breaks the same.
//!
//! It knows what to try: fewer calls, fewer callers and tasks, plainer calls, rounder times. It deliberately
//! knows no rule: whatever it tries is played, and kept only if the same property breaks. One step at a
//! time, so that a page can show each.

use super::draft::{Draft, Played};
use super::plainer;
use super::scenario_of;
use super::weight::weight;
use crate::oracle::Property;
use crate::rules::Rules;
use crate::scenario::Scenario;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A schedule on its way to a smallest one.
#[derive(Clone, Debug)]
pub struct Shrink<R: Rules + Clone> {
    rules: R,
    property: Property,
    best: Played,
    /// How many tries were played.
    tries: usize,
}

/// One step on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What was done, in a few words.
    pub did: String,
    /// How many calls are left.
    pub calls: usize,
}

impl<R: Rules + Clone> Shrink<R> {
    /// Begins with a schedule. `None` if it breaks nothing by these rules.
    pub fn new(scenario: &Scenario, rules: R) -> Option<Self> {
        let best = Draft::read(scenario, rules.clone()).play(rules.clone());
        let property = best.red.as_ref()?.property;
        Some(Shrink {
            rules,
            property,
            best,
            tries: 0,
        })
    }

    /// The smallest so far, as a scenario.
    pub fn scenario(&self) -> Scenario {
        let Draft { queue, options, .. } = &self.best.draft;
        let rows = self.best.rows.clone();
        let title = format!("A smallest schedule that breaks: {}", self.property.name());
        scenario_of(title, queue.clone(), *options, rows)
    }

    /// What it breaks, and where.
    pub fn red(&self) -> Option<&super::Red> {
        self.best.red.as_ref()
    }

    /// How many schedules were tried.
    pub fn tries(&self) -> usize {
        self.tries
    }

    /// Tries until something smaller is found; `None` once nothing is.
    pub fn step(&mut self) -> Option<Step> {
        let did = self.drop_calls().or_else(|| self.make_plainer())?;
        Some(Step {
            did,
            calls: self.best.rows.len(),
        })
    }

    /// All steps.
    pub fn finish(mut self) -> (Scenario, Vec<Step>) {
        let mut steps = Vec::new();
        while let Some(step) = self.step() {
            steps.push(step);
        }
        (self.scenario(), steps)
    }

    /// Whole callers, tasks and queues, then runs of calls, long ones first.
    fn drop_calls(&mut self) -> Option<String> {
        for (what, keeps) in self.groups() {
            let moves = &self.best.draft.moves;
            let kept: Vec<_> = moves
                .iter()
                .zip(keeps)
                .filter(|(_, keeps)| *keeps)
                .collect();
            let moves = kept.into_iter().map(|(step, _)| step.clone()).collect();
            if self.keeps_if_smaller(Draft {
                moves,
                ..self.best.draft.clone()
            }) {
                return Some(what);
            }
        }
        let count = self.best.draft.moves.len();
        let mut length = count / 2;
        while length > 0 {
            for from in 0..=count.saturating_sub(length) {
                let mut moves = self.best.draft.moves.clone();
                moves.drain(from..from + length);
                if self.keeps_if_smaller(Draft {
                    moves,
                    ..self.best.draft.clone()
                }) {
                    let calls = count - self.best.draft.moves.len();
                    return Some(format!(
                        "{calls} {} fewer",
                        crate::call::plural(calls as u64, "call")
                    ));
                }
            }
            length /= 2;
        }
        None
    }

    /// What can go as a whole, with which moves stay.
    fn groups(&self) -> Vec<(String, Vec<bool>)> {
        let moves = &self.best.draft.moves;
        let callers: BTreeSet<&str> = moves.iter().map(|step| &*step.by).collect();
        let tasks: BTreeSet<_> = moves.iter().filter_map(|step| step.call.task()).collect();
        let queues: BTreeSet<_> = moves.iter().map(|step| &step.queue).collect();
        let without = |gone: &dyn Fn(usize) -> bool| (0..moves.len()).map(|at| !gone(at)).collect();
        let mut groups: Vec<(String, Vec<bool>)> = Vec::new();
        for queue in queues {
            groups.push((
                format!("without queue {queue}"),
                without(&|at| moves[at].queue == *queue),
            ));
        }
        for by in callers {
            groups.push((format!("without {by}"), without(&|at| moves[at].by == by)));
        }
        for task in tasks {
            // Its deliveries go with it, so that the other polls get what they got.
            let is_about = |at: usize| {
                let of = moves[at].call.task().or(self.best.got.get(&moves[at].id));
                of == Some(task)
            };
            groups.push((format!("without task {task}"), without(&is_about)));
        }
        groups
    }

    fn make_plainer(&mut self) -> Option<String> {
        let plainer = plainer::all(&self.best.draft);
        plainer
            .into_iter()
            .find_map(|(did, draft)| self.keeps_if_smaller(draft).then_some(did))
    }

    fn keeps_if_smaller(&mut self, draft: Draft) -> bool {
        self.tries += 1;
        let played = draft.play(self.rules.clone());
        let same = played
            .red
            .as_ref()
            .is_some_and(|red| red.property == self.property);
        let smaller = same && weight(&played.draft) < weight(&self.best.draft);
        if smaller {
            self.best = played;
        }
        smaller
    }
}
