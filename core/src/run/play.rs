//! Playing a scenario: every call on the queue, with everyone who watches told.
//!
//! It knows the order of things at each step: look, call, look again. It deliberately shows nothing.

use super::{RecordLine, Run, Step};
use crate::bench::Bench;
use crate::chart::Pencil;
use crate::log::Log;
use crate::rules::Rules;
use crate::scenario::{Planned, Scenario};
use crate::sentence::{Around, tell};
use crate::time::Timestamp;
use crate::watched::Watched;
use alloc::vec::Vec;

impl<R: Rules + Clone> Run<R> {
    /// Runs a scenario by these rules.
    pub fn with_rules(scenario: Scenario, rules: R) -> Self {
        let mut play = Play::new(&scenario, rules.clone());
        let steps = (0..=scenario.rows.len())
            .map(|step| play.step(step))
            .collect();
        let (chart, seen) = play.pencil.finish();
        let bench = empty_bench(&scenario, rules.clone());
        let (oracle, digest, records) = (play.watched.oracle, play.watched.digest, play.records);
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
        let name = planned.queue.as_ref().unwrap_or(&scenario.queue);
        planned.call.carry_out_in(bench, name, at, &planned.by);
    }
}

/// One run in the making.
struct Play<'s, R: Rules + Clone> {
    scenario: &'s Scenario,
    watched: Watched<R>,
    pencil: Pencil,
    records: Vec<RecordLine>,
}

impl<'s, R: Rules + Clone> Play<'s, R> {
    fn new(scenario: &'s Scenario, rules: R) -> Self {
        Play {
            scenario,
            watched: Watched::new(
                &scenario.queue,
                &scenario.other_queues(),
                rules,
                scenario.options(),
            ),
            pencil: Pencil::default(),
            records: Vec::new(),
        }
    }

    fn step(&mut self, step: usize) -> Step {
        self.pencil.turn_to(step);
        self.watched.oracle.turn_to(step);
        let at = instant_of(self.scenario, step);
        let mut done = Step::default();
        for planned in calls_of(self.scenario, step) {
            self.call(step, at, planned, &mut done);
        }
        done
    }

    /// One call. Only the scenario's own queue is drawn.
    fn call(&mut self, step: usize, at: Timestamp, planned: &Planned, done: &mut Step) {
        let name = planned.queue.as_ref().unwrap_or(&self.scenario.queue);
        let is_drawn = *name == self.scenario.queue;
        let bench = &mut self.watched.bench;
        bench.pass_time(at);
        let before = bench.picture_of(name, at);
        if is_drawn {
            self.pencil.time_passed(&before);
        }
        let answer = self
            .watched
            .call(at, &planned.by, name, &planned.call)
            .answer;
        let after = self.watched.bench.picture_of(name, at);
        if is_drawn {
            self.pencil.called(planned, &answer, &after);
        }
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
        self.keep_new_records(step);
        done.answers.push(answer);
    }

    fn keep_new_records(&mut self, step: usize) {
        for entry in &self.watched.bench.queue.log().entries()[self.records.len()..] {
            self.records.push(RecordLine {
                step,
                stream: entry.stream.clone(),
                line: entry.line.clone(),
            });
        }
    }
}
