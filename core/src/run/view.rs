//! What a reader of a run is shown: flat copied data, the same for the page, the tests and the terminal.
//!
//! It knows what happened and puts it side by side. It deliberately decides nothing.

use super::{Run, play};
use crate::oracle::{HEADLINES, PROPERTIES, Property};
use crate::picture::{Picture, TaskPicture};
use crate::rules::Rules;
use crate::sentence::Sentence;
use crate::task::TaskId;
use crate::time::{Timestamp, millis_up};
use crate::wake;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::Serialize;

/// What a scenario is, for a reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct About {
    /// What it shows.
    pub title: String,
    /// Where it comes from.
    pub source: String,
    /// The queue's name.
    pub queue: String,
    /// The default visibility timeout V, in milliseconds.
    pub visibility: Timestamp,
    /// The default max attempts M.
    pub max_attempts: u32,
    /// The run's digest: 16 hexadecimal digits over every call, outcome and record.
    pub digest: String,
    /// The table.
    pub rows: Vec<RowView>,
    /// The log, as it is after the last step.
    pub records: Vec<RecordLine>,
}

/// One row of the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RowView {
    /// When.
    pub at: Timestamp,
    /// Who called: several for a row of several calls.
    pub by: Vec<String>,
    /// The call, in a table's words.
    pub call: String,
    /// What the queue answered, in a table's words.
    pub result: String,
    /// What the scenario expected, if that differs.
    pub expected: Option<String>,
    /// True if the queue refused.
    pub refused: bool,
}

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RecordLine {
    /// The step that wrote it; 0 for the set-up.
    pub step: usize,
    /// The stream: `queue/<name>`.
    pub stream: String,
    /// The record's JSON.
    pub line: String,
}

/// Everything to show after a number of rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StepView {
    /// How many rows have happened: 0 is before the first.
    pub step: usize,
    /// How many rows there are.
    pub steps: usize,
    /// The queue's now.
    pub at: Timestamp,
    /// What happened, one for each call of the row.
    pub sentences: Vec<Sentence>,
    /// The queue now.
    pub picture: Picture,
    /// When the queue changes by itself next and why, in words.
    pub wake: String,
    /// Which fields of which tasks this step changed.
    pub changes: Vec<Change>,
    /// Tasks that left in this step.
    pub left: Vec<TaskId>,
    /// What must always hold.
    pub lights: Vec<Light>,
    /// What may be seen to happen.
    pub goals: Vec<GoalView>,
}

/// A field of a task that a step changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Change {
    /// The task.
    pub task: TaskId,
    /// The fields' names, as in the picture.
    pub fields: Vec<String>,
}

/// A property that must hold at every step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Light {
    /// The property, in a few words.
    pub name: String,
    /// What broke it, with step and ids; `None` while it holds.
    pub broken: Option<String>,
}

/// A goal, reached or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GoalView {
    /// In words.
    pub text: String,
    /// True once it was seen.
    pub reached: bool,
}

impl<R: Rules + Clone> Run<R> {
    /// The run as a whole.
    pub fn about(&self) -> About {
        let scenario = self.scenario();
        About {
            title: scenario.title.clone(),
            source: scenario.source.clone(),
            queue: scenario.queue.to_string(),
            visibility: Timestamp::from_millis(millis_up(scenario.options().resolved().visibility)),
            max_attempts: scenario.options().resolved().max_attempts,
            digest: self.digest(),
            rows: (1..=self.rows()).map(|step| self.row(step)).collect(),
            records: self.records.clone(),
        }
    }

    /// Everything to show after this many rows; more than there are is all of them.
    pub fn seek(&mut self, step: usize) -> StepView {
        let step = step.min(self.rows());
        let left = step.checked_sub(1).map(|before| self.look_after(before));
        let picture = self.look_after(step);
        StepView {
            step,
            steps: self.rows(),
            at: picture.at,
            sentences: self.steps[step].sentences.clone(),
            wake: wake::in_words(picture.wake.as_ref()),
            changes: changes(left.as_ref(), &picture),
            left: left
                .as_ref()
                .map(|before| gone(before, &picture))
                .unwrap_or_default(),
            lights: self.lights(step, &picture),
            goals: self.goals(step),
            picture,
        }
    }

    fn look_after(&mut self, step: usize) -> Picture {
        self.stand_after(step);
        let at = play::instant_of(&self.scenario, step);
        self.bench.picture(at)
    }

    /// The headlines, and whatever else is broken by then.
    fn lights(&self, step: usize, now: &Picture) -> Vec<Light> {
        let is_broken = |property: &&Property| {
            let broken = self.oracle.broken(**property);
            broken.is_some_and(|broken| broken.step <= step)
        };
        let others = PROPERTIES[HEADLINES.len()..].iter().filter(is_broken);
        HEADLINES
            .iter()
            .chain(others)
            .map(|property| self.light(*property, step, now))
            .collect()
    }

    fn row(&self, step: usize) -> RowView {
        let planned = play::calls_of(&self.scenario, step);
        let answers = &self.steps[step].answers;
        let answered = join(answers.iter().map(|answer| answer.outcome.to_string()));
        let hoped = planned
            .iter()
            .zip(answers)
            .map(|(planned, answer)| planned.expect.as_ref().unwrap_or(&answer.outcome));
        let expected = join(hoped.map(ToString::to_string));
        let mut by: Vec<String> = planned.iter().map(|planned| planned.by.clone()).collect();
        by.dedup();
        RowView {
            at: play::instant_of(&self.scenario, step),
            by,
            call: join(planned.iter().map(|planned| planned.call.to_string())),
            expected: (expected != answered).then_some(expected),
            refused: answers.iter().any(|answer| answer.outcome.is_refusal()),
            result: answered,
        }
    }

    fn light(&self, property: Property, step: usize, picture: &Picture) -> Light {
        let broken = self
            .oracle
            .broken(property)
            .filter(|broken| broken.step <= step);
        let so_far = match property {
            Property::TokensRise => format!(" ({} so far)", picture.token_last),
            _ => String::new(),
        };
        Light {
            name: format!("{}{so_far}", property.name()),
            broken: broken.map(|broken| format!("row {}: {}", broken.step, broken.what)),
        }
    }

    fn goals(&self, step: usize) -> Vec<GoalView> {
        let reached = |event| self.seen.get(&event).is_some_and(|seen| *seen <= step);
        let goals = self.scenario.goals.iter();
        goals
            .map(|goal| GoalView {
                text: goal.text.clone(),
                reached: reached(goal.event),
            })
            .collect()
    }
}

/// Calls and outcomes of one row, in a table's words.
fn join(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(", then ")
}

fn changes(before: Option<&Picture>, now: &Picture) -> Vec<Change> {
    let changed = |task: &TaskPicture| {
        let fields = changed_fields(before.and_then(|before| before.task(&task.id)), task);
        (!fields.is_empty()).then(|| Change {
            task: task.id.clone(),
            fields,
        })
    };
    if before.is_none() {
        Vec::new()
    } else {
        now.tasks.iter().filter_map(changed).collect()
    }
}

fn changed_fields(before: Option<&TaskPicture>, now: &TaskPicture) -> Vec<String> {
    let Some(before) = before else {
        return [String::from("id")].into();
    };
    let fields = [
        ("phase", before.phase != now.phase),
        ("since", before.since != now.since),
        ("attempt", before.attempt != now.attempt),
        ("lease", before.lease != now.lease),
        ("visible_at", before.visible_at != now.visible_at),
        ("details", before.details != now.details),
        ("last_error", before.last_error != now.last_error),
    ];
    fields
        .iter()
        .filter(|(_, changed)| *changed)
        .map(|(name, _)| String::from(*name))
        .collect()
}

fn gone(before: &Picture, now: &Picture) -> Vec<TaskId> {
    before
        .tasks
        .iter()
        .filter(|task| now.task(&task.id).is_none())
        .map(|task| task.id.clone())
        .collect()
}
