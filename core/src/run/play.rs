//! Playing a scenario: every call on the queue, with everyone who watches told.
//!
//! It knows the order of things at each step: look, call, look again. It deliberately shows nothing.

use super::{Digest, RecordLine, Run, Step};
use crate::bench::Bench;
use crate::chart::Pencil;
use crate::log::Log;
use crate::oracle::Oracle;
use crate::rules::Rules;
use crate::scenario::{Planned, Scenario};
use crate::sentence::{Around, tell};
use crate::time::Timestamp;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// In a run of at most so many rows the log is replayed at every step.
const REPLAY_EVERY_STEP_ROWS_MAX: usize = 256;
/// In a longer run it is replayed at every so many steps, and at the last.
const REPLAY_EVERY: usize = 64;

impl<R: Rules + Clone> Run<R> {
    /// Runs a scenario by these rules.
    pub fn with_rules(scenario: Scenario, rules: R) -> Self {
        let mut play = Play::new(&scenario, rules.clone());
        let steps = (0..=scenario.rows.len())
            .map(|step| play.step(step))
            .collect();
        let (chart, seen) = play.pencil.finish();
        let bench = empty_bench(&scenario, rules.clone());
        let (oracle, digest, records) = (play.oracle, play.digest, play.records);
        let mut run = Run {
            scenario,
            rules,
            steps,
            chart,
            seen,
            oracle,
            digest,
            records,
            bench,
            at_step: 0,
        };
        run.stand_at_start();
        run
    }

    /// Brings the bench to where it stood after this step: forward by calling, back by starting over.
    pub(super) fn stand_after(&mut self, step: usize) {
        if step < self.at_step {
            self.stand_at_start();
        }
        while self.at_step < step {
            self.at_step += 1;
            replay_step(&mut self.bench, &self.scenario, self.at_step);
        }
    }

    fn stand_at_start(&mut self) {
        self.bench = empty_bench(&self.scenario, self.rules.clone());
        self.at_step = 0;
        replay_step(&mut self.bench, &self.scenario, 0);
    }
}

/// The calls of a step: the set-up's, or a row's.
pub(super) fn calls_of(scenario: &Scenario, step: usize) -> &[Planned] {
    match step.checked_sub(1) {
        None => &scenario.setup,
        Some(row) => scenario.rows.get(row).map_or(&[], |row| &row.calls),
    }
}

/// When a step happens.
pub(super) fn instant_of(scenario: &Scenario, step: usize) -> Timestamp {
    let row = step.checked_sub(1).and_then(|row| scenario.rows.get(row));
    row.map_or(Timestamp::ZERO, |row| row.at)
}

fn empty_bench<R: Rules + Clone>(scenario: &Scenario, rules: R) -> Bench<R> {
    Bench::new(scenario.queue.clone(), rules, scenario.options())
}

fn replay_step<R: Rules + Clone>(bench: &mut Bench<R>, scenario: &Scenario, step: usize) {
    let at = instant_of(scenario, step);
    for planned in calls_of(scenario, step) {
        planned.call.carry_out(bench, at, &planned.by);
    }
}

/// One run in the making.
struct Play<'s, R: Rules + Clone> {
    scenario: &'s Scenario,
    bench: Bench<R>,
    pencil: Pencil,
    oracle: Oracle,
    digest: Digest,
    records: Vec<RecordLine>,
}

impl<'s, R: Rules + Clone> Play<'s, R> {
    fn new(scenario: &'s Scenario, rules: R) -> Self {
        Play {
            scenario,
            bench: empty_bench(scenario, rules),
            pencil: Pencil::default(),
            oracle: Oracle::default(),
            digest: Digest::EMPTY,
            records: Vec::new(),
        }
    }

    fn step(&mut self, step: usize) -> Step {
        self.pencil.turn_to(step);
        let at = instant_of(self.scenario, step);
        let mut done = Step::default();
        for planned in calls_of(self.scenario, step) {
            self.call(step, at, planned, &mut done);
        }
        let rows = self.scenario.rows.len();
        if rows <= REPLAY_EVERY_STEP_ROWS_MAX || step.is_multiple_of(REPLAY_EVERY) || step == rows {
            let difference = self.replay_difference(at);
            self.oracle.replayed(step, difference);
        }
        done
    }

    fn call(&mut self, step: usize, at: Timestamp, planned: &Planned, done: &mut Step) {
        let before = self.bench.picture(at);
        self.pencil.time_passed(&before);
        let answer = planned.call.carry_out(&mut self.bench, at, &planned.by);
        let after = self.bench.picture(at);
        self.pencil.called(planned, &answer, &after);
        self.oracle
            .listen(step, after.at, &planned.call, &answer.outcome);
        let expired = planned
            .call
            .lease()
            .and_then(|(task, token)| self.pencil.expired_at(task, token));
        let around = Around {
            before: &before,
            after: &after,
            expired,
        };
        done.sentences.push(tell(planned, &answer, around));
        self.digest.add(&format!(
            "{} {}: {}: {}",
            after.at, planned.by, planned.call, answer.outcome
        ));
        self.keep_new_records(step);
        done.answers.push(answer);
    }

    fn keep_new_records(&mut self, step: usize) {
        for entry in &self.bench.queue.log().entries()[self.records.len()..] {
            self.digest.add(&entry.line);
            self.records.push(RecordLine {
                step,
                stream: entry.stream.clone(),
                line: entry.line.clone(),
            });
        }
    }

    /// What the log alone would show differently, if anything.
    fn replay_difference(&mut self, at: Timestamp) -> Option<String> {
        let name = &self.bench.name;
        let here = self.bench.queue.picture(at, name);
        match self.bench.recovered() {
            Err(error) => Some(format!("the log does not open: {error}")),
            Ok(mut queue) => {
                let there = queue.picture(at, name);
                let differs = format!(
                    "at {} s the log rebuilds {:?}, the queue has {:?}",
                    here.at, there.depth, here.depth
                );
                (there != here).then_some(differs)
            }
        }
    }
}
