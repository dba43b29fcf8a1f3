//! A run: a scenario, played by the real queue, row by row, so that any row can be looked at again.
//!
//! It knows what happened at every step and can show the queue as it was after any of them. Going back is
//! exact because a state is replayed from the start, never undone. It deliberately draws and explains
//! nothing itself: `chart`, `sentence` and `oracle` do.

mod play;
mod view;

use crate::bench::Bench;
use crate::call::Answer;
use crate::chart::Chart;
use crate::oracle::Oracle;
use crate::rules::{Chapter, Rules};
use crate::scenario::{Event, Scenario, ScenarioError, Seal};
use crate::sentence::Sentence;
use crate::watched::Digest;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

pub use view::{About, Change, GoalView, Light, RecordLine, RowView, StepView};

/// A scenario that was run from its first row to its last.
#[derive(Clone, Debug)]
pub struct Run<R: Rules + Clone = Chapter> {
    scenario: Scenario,
    rules: R,
    /// What happened at each step; the first is the set-up.
    steps: Vec<Step>,
    chart: Chart,
    seen: BTreeMap<Event, usize>,
    oracle: Oracle,
    digest: Digest,
    records: Vec<RecordLine>,
    /// A queue that stands after `at_step`, to look at.
    bench: Bench<R>,
    at_step: usize,
}

/// What one step's calls came to.
#[derive(Clone, Debug, Default)]
struct Step {
    answers: Vec<Answer>,
    sentences: Vec<Sentence>,
}

/// Where a run's outcomes first differ from what its scenario expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The step: 0 is the set-up, n is row n.
    pub step: usize,
    /// The expected outcome, in a table's words.
    pub expected: String,
    /// What the queue answered.
    pub answered: String,
}

impl Run {
    /// Runs a scenario's text by the chapter's rules.
    pub fn open(text: &str) -> Result<Self, ScenarioError> {
        Ok(Run::with_rules(Scenario::parse(text)?, Chapter))
    }
}

/// The scenario with what the chapter's rules answer written beside each call, and the digest of it all.
pub fn sealed(scenario: Scenario) -> Scenario {
    let run = Run::with_rules(scenario, Chapter);
    let mut sealed = run.scenario.clone();
    let steps = run.steps.iter();
    let mut outcomes = steps.flat_map(|step| step.answers.iter().map(|answer| &answer.outcome));
    let rows = sealed.rows.iter_mut().flat_map(|row| &mut row.calls);
    for planned in sealed.setup.iter_mut().chain(rows) {
        planned.expect = outcomes.next().cloned();
    }
    sealed.seal = Some(Seal {
        digest: run.digest(),
        made_with: String::from(env!("CARGO_PKG_VERSION")),
    });
    sealed
}

impl<R: Rules + Clone> Run<R> {
    /// How many rows there are; the steps are 0, the set-up, to this.
    pub fn rows(&self) -> usize {
        self.scenario.rows.len()
    }

    /// What the run was made from.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The whole run, drawn.
    pub fn chart(&self) -> &Chart {
        &self.chart
    }

    /// 16 hexadecimal digits over every call, outcome and record: two runs with one digest are the same.
    pub fn digest(&self) -> String {
        alloc::format!("{}", self.digest)
    }

    /// Why this is not what the scenario came to where it was written, if it is not.
    pub fn broken_seal(&self) -> Option<String> {
        let Seal { digest, made_with } = self.scenario.seal.as_ref()?;
        if *digest == self.digest() {
            return None;
        }
        let first = self.first_difference().map_or_else(
            || String::from("every expected outcome is the same, something else differs"),
            |differs| alloc::format!("the first difference is at row {}", differs.step),
        );
        Some(alloc::format!(
            "made with version {made_with}, digest {digest}; here it comes to {}: {first}",
            self.digest()
        ))
    }

    /// The first outcome that is not the expected one.
    pub fn first_difference(&self) -> Option<Difference> {
        let found = |(step, answer, expect): (usize, &Answer, _)| {
            (answer.outcome != expect).then(|| Difference {
                step,
                expected: alloc::format!("{expect}"),
                answered: alloc::format!("{}", answer.outcome),
            })
        };
        self.expectations().find_map(found)
    }

    fn expectations(&self) -> impl Iterator<Item = (usize, &Answer, crate::call::Outcome)> {
        self.steps.iter().enumerate().flat_map(|(step, done)| {
            let planned = play::calls_of(&self.scenario, step).iter();
            planned
                .zip(&done.answers)
                .filter_map(move |(planned, answer)| {
                    planned.expect.clone().map(|expect| (step, answer, expect))
                })
        })
    }
}
