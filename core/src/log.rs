//! Where records are kept: one trait, one log in memory, and no log at all.
//!
//! It knows lines of JSON in streams named `queue/<name>`. It deliberately does not know what a record
//! does, nor files: a log on disk is another crate's.

use crate::record::Record;
use crate::refusal::LogError;
use crate::task::QueueName;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// What every stream's name begins with; the queue's name follows.
pub const STREAM_PREFIX: &str = "queue/";

/// A log that keeps records in the order in which they were appended.
pub trait Log {
    /// Keeps one record of one queue, durably, or says why not and keeps nothing of it.
    fn append(&mut self, queue: &QueueName, record: &Record) -> Result<(), LogError>;

    /// Everything kept, oldest first.
    fn entries(&self) -> &[Entry];
}

/// One line of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// `queue/<name>`.
    pub stream: String,
    /// The record as one JSON object.
    pub line: String,
}

/// No log: the queue lives in memory only (section 4, a nil `Options.Log`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoLog;

impl Log for NoLog {
    fn append(&mut self, _: &QueueName, _: &Record) -> Result<(), LogError> {
        Ok(())
    }

    fn entries(&self) -> &[Entry] {
        &[]
    }
}

/// A log in memory. It can be told to refuse, which is how the page and the tests see a log fail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryLog {
    entries: Vec<Entry>,
    refuses: bool,
}

impl MemoryLog {
    /// An empty log that takes everything.
    pub fn new() -> Self {
        Self::default()
    }

    /// A log that holds these lines already, as after a crash.
    pub fn with_entries(entries: Vec<Entry>) -> Self {
        MemoryLog {
            entries,
            refuses: false,
        }
    }

    /// Whether it refuses every append.
    pub fn is_refusing(&self) -> bool {
        self.refuses
    }

    /// From now on refuses every append (true) or takes them again (false).
    pub fn set_refusing(&mut self, refuses: bool) {
        self.refuses = refuses;
    }
}

impl Log for MemoryLog {
    fn append(&mut self, queue: &QueueName, record: &Record) -> Result<(), LogError> {
        if self.refuses {
            return Err(LogError::Full {
                records: self.entries.len(),
            });
        }
        let line = serde_json::to_string(record).map_err(|error| LogError::Failed {
            reason: format!("{error}"),
        })?;
        self.entries.push(Entry {
            stream: format!("{STREAM_PREFIX}{queue}"),
            line,
        });
        Ok(())
    }

    fn entries(&self) -> &[Entry] {
        &self.entries
    }
}
