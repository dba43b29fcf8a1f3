//! The queue: one method a verb of the chapter's section 4, and the law they all follow.
//!
//! It knows the order of the four steps: **1 decide, 2 append, 3 apply, 4 look**. It deliberately knows no
//! rule (that is `rules`), changes no state by itself (that is `state`), and never waits.

use crate::bytes::Bytes;
use crate::decide::{Command, acting, decide};
use crate::log::{Entry, Log, NoLog, STREAM_PREFIX};
use crate::picture::{Picture, look};
use crate::possible::possible;
use crate::record::Record;
use crate::refusal::Refusal;
use crate::rules::{Chapter, Rules};
use crate::state::{Held, State};
use crate::task::{
    BadName, DeadLetter, Depth, Disposition, Enqueued, Lease, LeaseId, Options, QueueName, Task,
    TaskError, TaskId,
};
use crate::time::Timestamp;
use crate::wake::Wake;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// A durable task queue, driven by calls that each carry the clock's now.
///
/// A `now` before the largest one given is taken as that one: the queue never moves back.
#[derive(Clone, Debug)]
pub struct Queue<L: Log = NoLog, R: Rules = Chapter> {
    state: State,
    log: L,
    rules: R,
    options: Options,
}

impl<L: Log, R: Rules> Queue<L, R> {
    /// A new queue on a log that holds nothing yet.
    pub fn empty(log: L, rules: R, options: Options) -> Self {
        Queue {
            state: State::default(),
            log,
            rules,
            options: options.resolved(),
        }
    }

    /// Open (section 2.5): rebuilds every queue from the log's records, and writes nothing. Its now begins at
    /// the last record's instant: a later one that was only looked at is in no log.
    pub fn open(log: L, rules: R, options: Options) -> Result<Self, OpenError> {
        let mut opened = Queue::empty(log, rules, options);
        for (position, entry) in opened.log.entries().iter().enumerate() {
            replay(&mut opened.state, &opened.rules, position, entry)?;
        }
        opened.recover_tokens();
        Ok(opened)
    }

    /// One record of a log that another queue writes: whoever is told each of them follows that queue.
    pub fn replay(&mut self, position: usize, entry: &Entry) -> Result<(), OpenError> {
        replay(&mut self.state, &self.rules, position, entry)
    }

    /// The server restarted: the token counter goes on from the records (section 2.2).
    pub(crate) fn recover_tokens(&mut self) {
        self.state.recover_tokens(&self.rules);
    }

    /// Enqueue (section 2.5): adds the task, or finds its id held already; both are success.
    pub fn enqueue(
        &mut self,
        now: Timestamp,
        queue: &QueueName,
        task: &Task,
    ) -> Result<Enqueued, Refusal> {
        let task = self.options.resolve(task);
        match self.carry_out(now, queue, Command::Enqueue(&task)) {
            Ok(_) => Ok(Enqueued::Added),
            Err(Refusal::AlreadyHeld { phase }) => Ok(Enqueued::AlreadyHeld(phase)),
            Err(refusal) => Err(refusal),
        }
    }

    /// Poll (sections 2.1, 2.4): leases the first task in line to the worker, or says when to ask again.
    pub fn poll(
        &mut self,
        now: Timestamp,
        queue: &QueueName,
        worker: &str,
    ) -> Result<Lease, Refusal> {
        let record = self.carry_out(now, queue, Command::Poll(worker))?;
        self.lease_in(queue, &record)
    }

    /// Check (section 2.2): may this lease still act?
    pub fn check(&mut self, now: Timestamp, lease: &LeaseId) -> Result<(), Refusal> {
        self.state.pass_time(&self.rules, &lease.queue, now);
        acting(&self.state, &self.rules, lease).map(|_| ())
    }

    /// Heartbeat (section 2.1): moves the deadline to now + V and keeps the details, if any are brought.
    pub fn heartbeat(
        &mut self,
        now: Timestamp,
        lease: &LeaseId,
        details: &Bytes,
    ) -> Result<Lease, Refusal> {
        let record = self.carry_out(now, &lease.queue, Command::Heartbeat(lease, details))?;
        self.lease_in(&lease.queue, &record)
    }

    /// Complete (section 2.1): the task leaves, and its id is free again.
    pub fn complete(&mut self, now: Timestamp, lease: &LeaseId) -> Result<(), Refusal> {
        self.carry_out(now, &lease.queue, Command::Complete(lease))
            .map(|_| ())
    }

    /// Fail (section 2.3): the task is retried, parked or dropped.
    pub fn fail(
        &mut self,
        now: Timestamp,
        lease: &LeaseId,
        error: &TaskError,
    ) -> Result<Disposition, Refusal> {
        Ok(
            match self.carry_out(now, &lease.queue, Command::Fail(lease, error))? {
                Record::Retry { visible_at, .. } => Disposition::Retrying { visible_at },
                Record::Dead { .. } => Disposition::DeadLettered,
                _ => Disposition::Dropped,
            },
        )
    }

    /// DLQ (section 2.3): the dead letters, in enqueue order.
    pub fn dead_letters(&mut self, now: Timestamp, queue: &QueueName) -> Vec<DeadLetter> {
        self.state.pass_time(&self.rules, queue, now);
        self.state
            .shelf(queue)
            .into_iter()
            .flat_map(|shelf| shelf.dead(&self.rules))
            .map(dead_letter)
            .collect()
    }

    /// Redrive (section 2.3): moves the named dead letters back, or all if none is named; says how many.
    /// One id that is not dead in this queue refuses the whole call.
    pub fn redrive(
        &mut self,
        now: Timestamp,
        queue: &QueueName,
        tasks: &[TaskId],
    ) -> Result<usize, Refusal> {
        match self.carry_out(now, queue, Command::Redrive(tasks))? {
            Record::Redrive { tasks, .. } => Ok(tasks.len()),
            _ => Ok(0),
        }
    }

    /// Depth (section 4): how many tasks the queue holds, by phase.
    pub fn depth(&mut self, now: Timestamp, queue: &QueueName) -> Depth {
        self.state.pass_time(&self.rules, queue, now);
        self.state
            .shelf(queue)
            .map(|shelf| shelf.depth())
            .unwrap_or_default()
    }

    /// When time alone will change this queue next, and why (section 2.4).
    pub fn wake(&mut self, now: Timestamp, queue: &QueueName) -> Option<Wake> {
        self.state.pass_time(&self.rules, queue, now);
        self.state.shelf(queue)?.wake()
    }

    /// When a waiting poll should look again, as far as the clock goes; it may have been told less than
    /// [`Queue::wake`] knows, if a rule says so.
    pub(crate) fn wake_for_poll(&mut self, now: Timestamp, queue: &QueueName) -> Option<Wake> {
        self.state.pass_time(&self.rules, queue, now);
        let rules = &self.rules;
        self.state.shelf(queue)?.wake_if(|why| rules.wakes_for(why))
    }

    /// The rules it goes by.
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// Everything there is to see of one queue.
    pub fn picture(&mut self, now: Timestamp, queue: &QueueName) -> Picture {
        self.state.pass_time(&self.rules, queue, now);
        look(&self.state, queue)
    }

    /// The log, to read what was written.
    pub fn log(&self) -> &L {
        &self.log
    }

    /// The log, to make it fail; what it holds is the log's own.
    pub fn log_mut(&mut self) -> &mut L {
        &mut self.log
    }

    /// The law. Time passes first, as whoever looks treats what is over as over.
    fn carry_out(
        &mut self,
        now: Timestamp,
        queue: &QueueName,
        command: Command<'_>,
    ) -> Result<Record, Refusal> {
        self.state.pass_time(&self.rules, queue, now);
        let record = decide(&self.state, &self.rules, queue, command)?; // 1
        if matches!(&record, Record::Redrive { tasks, .. } if tasks.is_empty()) {
            return Ok(record); // nothing to move, so nothing to write
        }
        if self.rules.record_comes_first() {
            self.log.append(queue, &record).map_err(Refusal::Log)?; // 2
            self.state.apply(&self.rules, queue, &record); // 3
        } else {
            self.state.apply(&self.rules, queue, &record);
            self.log.append(queue, &record).map_err(Refusal::Log)?;
        }
        #[cfg(debug_assertions)]
        self.state.invariants(&self.rules);
        Ok(record)
    }

    /// Look (4): the lease that a `lease` or `hb` record has just made.
    fn lease_in(&self, queue: &QueueName, record: &Record) -> Result<Lease, Refusal> {
        let no_task = Refusal::NoTask { ask_again: None };
        let (Record::Lease { task, .. } | Record::Hb { task, .. }) = record else {
            return Err(no_task);
        };
        let held = self.state.held(queue, task);
        held.and_then(|held| lease(queue, held)).ok_or(no_task)
    }
}

fn lease(queue: &QueueName, held: &Held) -> Option<Lease> {
    let newest = held.newest()?;
    Some(Lease {
        queue: queue.clone(),
        task: held.task(),
        token: newest.token,
        attempt: held.attempt(),
        deadline: newest.deadline,
        details: held.details().clone(),
    })
}

fn dead_letter(held: &Held) -> DeadLetter {
    DeadLetter {
        task: held.task(),
        attempts: held.attempt(),
        last_error: held.last_error().into(),
        at: held.since(),
    }
}

fn replay<R: Rules>(
    state: &mut State,
    rules: &R,
    position: usize,
    entry: &Entry,
) -> Result<(), OpenError> {
    let refuse = |why| OpenError { position, why };
    let (queue, record) = read(entry).map_err(refuse)?;
    state.pass_time(rules, &queue, record.at());
    possible(state, rules, &queue, &record).map_err(refuse)?;
    state.apply(rules, &queue, &record);
    Ok(())
}

fn read(entry: &Entry) -> Result<(QueueName, Record), String> {
    let name = entry.stream.strip_prefix(STREAM_PREFIX).unwrap_or_default();
    let queue = QueueName::new(name).map_err(|bad: BadName| bad.to_string())?;
    let record = serde_json::from_str(&entry.line).map_err(|error| error.to_string())?;
    Ok((queue, record))
}

/// The log holds something that no queue wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenError {
    /// The entry's position in the log, 0 for the first.
    pub position: usize,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "record {} of the log cannot be replayed: {}; nothing was changed, repair the log",
            self.position, self.why
        )
    }
}

impl core::error::Error for OpenError {}
