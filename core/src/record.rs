//! The eight records: everything that ever changes a queue, as small JSON objects (section 2.5).
//!
//! It knows the schema. It deliberately does not know where records are kept nor what they do to a state.
//! Times and lengths are whole milliseconds; payloads and details are base64. An expiry has no record:
//! the lease's own record says when it ends.

use crate::bytes::{Bytes, base64_text};
use crate::task::{Attempt, TaskId, Text, Token};
use crate::time::{self, Timestamp};
use alloc::vec::Vec;
use core::time::Duration;
use serde::{Deserialize, Serialize};

/// The version of this schema, as `docs/records.md` tells it.
pub const VERSION: u32 = 1;

/// One transition of one task (of several, for a redrive).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Record {
    /// A task was added; its numbers are resolved, so a replay never depends on today's defaults.
    Enq {
        /// When; visible from then on.
        at: Timestamp,
        /// The task's id.
        task: TaskId,
        /// What the worker gets.
        #[serde(with = "base64_text", default, skip_serializing_if = "no_bytes")]
        payload: Bytes,
        /// Deliveries before the dead letters.
        max_attempts: u32,
        /// The length of a lease.
        #[serde(with = "time::serde_millis")]
        visibility: Duration,
    },
    /// A task was handed out.
    Lease {
        /// When.
        at: Timestamp,
        /// The task.
        task: TaskId,
        /// The fencing token.
        token: Token,
        /// Which delivery this is.
        attempt: Attempt,
        /// When the lease is over.
        deadline: Timestamp,
        /// Who asked.
        worker: Text,
    },
    /// A lease was extended.
    Hb {
        /// When.
        at: Timestamp,
        /// The task.
        task: TaskId,
        /// The lease's token.
        token: Token,
        /// When the lease is over now.
        deadline: Timestamp,
        /// The details to keep from now on.
        #[serde(with = "base64_text", default, skip_serializing_if = "no_bytes")]
        details: Bytes,
    },
    /// A task failed and waits for its retry.
    Retry {
        /// When.
        at: Timestamp,
        /// The task.
        task: TaskId,
        /// The lease's token.
        token: Token,
        /// When the task is visible again.
        visible_at: Timestamp,
        /// What went wrong.
        error: Text,
    },
    /// A task failed for the last time and is parked.
    Dead {
        /// When.
        at: Timestamp,
        /// The task.
        task: TaskId,
        /// The lease's token.
        token: Token,
        /// How often it was delivered.
        attempts: Attempt,
        /// What went wrong.
        error: Text,
    },
    /// Dead letters were moved back, all of these or none.
    Redrive {
        /// When; visible from then on.
        at: Timestamp,
        /// The tasks, in enqueue order.
        tasks: Vec<TaskId>,
    },
    /// A task was completed and left.
    Ack {
        /// When.
        at: Timestamp,
        /// The task.
        task: TaskId,
        /// The lease's token.
        token: Token,
    },
    /// A task failed in a way that no retry can help, and left.
    Drop {
        /// When.
        at: Timestamp,
        /// The task.
        task: TaskId,
        /// The lease's token.
        token: Token,
        /// What went wrong.
        error: Text,
    },
}

impl Record {
    /// When it happened.
    pub fn at(&self) -> Timestamp {
        match *self {
            Record::Enq { at, .. }
            | Record::Lease { at, .. }
            | Record::Hb { at, .. }
            | Record::Retry { at, .. }
            | Record::Dead { at, .. }
            | Record::Redrive { at, .. }
            | Record::Ack { at, .. }
            | Record::Drop { at, .. } => at,
        }
    }
}

fn no_bytes(bytes: &Bytes) -> bool {
    bytes.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    /// The schema, kind by kind: what is written is what is read.
    #[test]
    fn every_kind_has_its_json() {
        let (at, token) = (Timestamp::from_secs(1), Token(7));
        let task = TaskId::new("a").unwrap();
        let error = Text::from("boom");
        let table = [
            (
                Record::Enq {
                    at,
                    task: task.clone(),
                    payload: Bytes::from(vec![0, 255]),
                    max_attempts: 3,
                    visibility: Duration::from_secs(30),
                },
                r#"{"kind":"enq","at":1000,"task":"a","payload":"AP8=","max_attempts":3,"visibility":30000}"#,
            ),
            (
                Record::Lease {
                    at,
                    task: task.clone(),
                    token,
                    attempt: Attempt(2),
                    deadline: Timestamp::from_secs(31),
                    worker: "w".into(),
                },
                r#"{"kind":"lease","at":1000,"task":"a","token":7,"attempt":2,"deadline":31000,"worker":"w"}"#,
            ),
            (
                Record::Hb {
                    at,
                    task: task.clone(),
                    token,
                    deadline: Timestamp::from_secs(31),
                    details: Bytes::NONE,
                },
                r#"{"kind":"hb","at":1000,"task":"a","token":7,"deadline":31000}"#,
            ),
            (
                Record::Retry {
                    at,
                    task: task.clone(),
                    token,
                    visible_at: Timestamp::from_secs(6),
                    error: error.clone(),
                },
                r#"{"kind":"retry","at":1000,"task":"a","token":7,"visible_at":6000,"error":"boom"}"#,
            ),
            (
                Record::Dead {
                    at,
                    task: task.clone(),
                    token,
                    attempts: Attempt(3),
                    error: error.clone(),
                },
                r#"{"kind":"dead","at":1000,"task":"a","token":7,"attempts":3,"error":"boom"}"#,
            ),
            (
                Record::Redrive {
                    at,
                    tasks: vec![task.clone()],
                },
                r#"{"kind":"redrive","at":1000,"tasks":["a"]}"#,
            ),
            (
                Record::Ack {
                    at,
                    task: task.clone(),
                    token,
                },
                r#"{"kind":"ack","at":1000,"task":"a","token":7}"#,
            ),
            (
                Record::Drop {
                    at,
                    task,
                    token,
                    error,
                },
                r#"{"kind":"drop","at":1000,"task":"a","token":7,"error":"boom"}"#,
            ),
        ];
        for (record, json) in table {
            assert_eq!(serde_json::to_string(&record).unwrap(), json);
            assert_eq!(serde_json::from_str::<Record>(json).unwrap(), record);
        }
    }

    #[test]
    fn an_unknown_kind_or_field_is_refused() {
        for json in [
            r#"{"kind":"expire","at":1}"#,
            r#"{"kind":"ack","at":1,"task":"a","token":7,"more":1}"#,
        ] {
            assert!(serde_json::from_str::<Record>(json).is_err(), "{json}");
        }
    }
}
