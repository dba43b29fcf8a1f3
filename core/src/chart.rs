//! The chart of a run: what the queue knows and what the workers believe, as spans of time.
//!
//! It knows what could be seen at each step and draws the whole run once: whatever becomes known at a step
//! carries that step's number, so a reader shows less by comparing numbers. It deliberately knows no rule:
//! it watches pictures and outcomes.

mod believe;
mod draw;

use crate::task::{Attempt, Phase, Token};
use crate::time::Timestamp;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;

pub use draw::Pencil;

/// A run, drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Chart {
    /// The last instant on the axis.
    pub horizon: Timestamp,
    /// The upper lanes, in enqueue order: task ids.
    pub tasks: Vec<String>,
    /// The lower lanes: who ever polled.
    pub workers: Vec<String>,
    /// What the queue knows.
    pub spans: Vec<Span>,
    /// The deadlines.
    pub posts: Vec<Post>,
    /// What the workers believe.
    pub beliefs: Vec<Belief>,
    /// The calls.
    pub marks: Vec<Mark>,
}

/// A time in which a task was one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Span {
    /// Its lane: an index into `tasks`.
    pub task: usize,
    /// What the task was.
    pub phase: Phase,
    /// The step at which this became known.
    pub step: usize,
    /// When it began.
    pub from: Timestamp,
    /// When it will end if nobody calls: the newest deadline, or the retry's time.
    pub until: Option<Timestamp>,
    /// How it ended, once it had.
    pub end: Option<End>,
    /// The delivery's number: of this lease, or of the last one.
    pub attempt: Attempt,
    /// The lease's token.
    pub token: Option<Token>,
    /// The lease's worker: an index into `workers`.
    pub worker: Option<usize>,
}

/// The end of a span or of a belief.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct End {
    /// The step at which it became known.
    pub step: usize,
    /// When.
    pub at: Timestamp,
    /// How.
    pub how: How,
}

/// How a span or a belief ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum How {
    /// It was handed out.
    Leased,
    /// Its work was acknowledged.
    Completed,
    /// Its worker gave it up.
    Failed,
    /// Its deadline came.
    Expired,
    /// Its retry came due.
    Due,
    /// It was moved back from the dead letters.
    Redriven,
    /// Its worker was told that the lease is lost.
    Refused,
    /// Something else happened to it.
    Other,
}

/// A deadline: a fence post.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Post {
    /// Its lane: an index into `tasks`.
    pub task: usize,
    /// The lease's token.
    pub token: Token,
    /// Where it stands.
    pub at: Timestamp,
    /// The step at which it was set.
    pub step: usize,
    /// The step from which it is a ghost: a heartbeat moved it, or the lease ended before it.
    pub gone: Option<usize>,
    /// True if a heartbeat moved it.
    pub moved: bool,
}

/// A time in which a worker took a task for its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Belief {
    /// Its lane: an index into `workers`.
    pub worker: usize,
    /// The task: an index into `tasks`.
    pub task: usize,
    /// The lease's token.
    pub token: Token,
    /// The step at which it began.
    pub step: usize,
    /// When it began.
    pub from: Timestamp,
    /// When the lease was gone, though the worker did not know.
    pub lost: Option<End>,
    /// When the worker stopped believing.
    pub end: Option<End>,
}

/// A call at its instant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Mark {
    /// The step.
    pub step: usize,
    /// When.
    pub at: Timestamp,
    /// What kind of call it was.
    pub glyph: Glyph,
    /// The task it was about: an index into `tasks`.
    pub task: Option<usize>,
    /// Who called, if it is a worker with a lane: an index into `workers`.
    pub worker: Option<usize>,
    /// Who called.
    pub by: String,
    /// The call and its outcome, in a table's words.
    pub text: String,
}

/// The shape that a call is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Glyph {
    /// A task came in.
    Enqueue,
    /// A task was handed out.
    Poll,
    /// A poll found nothing.
    Empty,
    /// A lease was extended.
    Heartbeat,
    /// A task was acknowledged.
    Complete,
    /// A worker gave up.
    Fail,
    /// A call was refused.
    Refused,
    /// Dead letters were moved back.
    Redrive,
    /// The queue crashed and opened again.
    Reopen,
    /// Someone looked.
    Look,
}
