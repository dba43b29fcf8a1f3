//! A queue to try things on: the calls of a schedule go here, and it can crash.
//!
//! It knows one queue, its log in memory and what it was opened with. It deliberately knows no rule.

use crate::log::{Log, MemoryLog};
use crate::picture::Picture;
use crate::queue::{OpenError, Queue};
use crate::rules::Rules;
use crate::task::{Options, QueueName, Token};
use crate::time::Timestamp;
use alloc::collections::BTreeMap;
use alloc::string::String;

/// A queue to try things on: its log is in memory, so it can crash and open again.
#[derive(Clone, Debug)]
pub struct Bench<R: Rules + Clone> {
    /// The queue.
    pub queue: Queue<MemoryLog, R>,
    /// The one queue name all calls go to.
    pub name: QueueName,
    rules: R,
    options: Options,
    /// Who polled for each token: the queue does not need to know.
    holders: BTreeMap<Token, String>,
}

impl<R: Rules + Clone> Bench<R> {
    /// A queue with nothing in it.
    pub fn new(name: QueueName, rules: R, options: Options) -> Self {
        // An empty log always opens; were it not so, the bench would show an empty queue all the same.
        let queue = Queue::empty(MemoryLog::new(), rules.clone(), options);
        Bench {
            queue,
            name,
            rules,
            options,
            holders: BTreeMap::new(),
        }
    }

    /// Everything there is to see of the queue, with who holds each lease.
    pub fn picture(&mut self, now: Timestamp) -> Picture {
        let mut picture = self.queue.picture(now, &self.name);
        for lease in picture
            .tasks
            .iter_mut()
            .filter_map(|task| task.lease.as_mut())
        {
            lease.worker = self.holders.get(&lease.token).cloned().unwrap_or_default();
        }
        picture
    }

    pub(crate) fn remember_holder(&mut self, token: Token, worker: &str) {
        self.holders.insert(token, String::from(worker));
    }

    /// The same queue, as its log alone would rebuild it.
    pub fn recovered(&self) -> Result<Queue<MemoryLog, R>, OpenError> {
        let entries = self.queue.log().entries().to_vec();
        Queue::open(
            MemoryLog::with_entries(entries),
            self.rules.clone(),
            self.options,
        )
    }

    /// Crashes: what was in memory is gone, and the queue opens again from its log.
    pub fn reopen(&mut self) -> Result<(), OpenError> {
        self.queue = self.recovered()?;
        Ok(())
    }
}
