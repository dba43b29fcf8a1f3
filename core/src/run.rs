//! types first
use crate::picture::Picture;
use crate::task::TaskId;
use crate::time::Timestamp;
use alloc::string::String;
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

/// What happened, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Sentence {
    /// Who said what when: `At 45 s worker 2 calls Complete(a, token 3)`.
    pub said: String,
    /// What the queue answered, in a table's words.
    pub answer: String,
    /// One word for it: `Fenced`.
    pub headline: String,
    /// Why, by the rules.
    pub why: String,
    /// True if the call was refused.
    pub refused: bool,
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
