//! A queue that threads share: every call under one lock, and polls that block until there is a task.
//!
//! It knows who is woken when: a thread that was served, and one waiting thread, the first in line, that
//! keeps the time for all. It deliberately knows no rule: who is served is the lobby's.

use crate::clock::Clock;
use crate::sync::{Arc, Condvar, Mutex, MutexGuard};
use fencepost_core::log::Log;
use fencepost_core::long_poll::{Lobby, Ticket};
use fencepost_core::queue::Queue;
use fencepost_core::refusal::Refusal;
use fencepost_core::rules::{Chapter, Rules};
use fencepost_core::task::{Lease, QueueName};
use fencepost_core::time::Timestamp;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// What a poisoned lock would mean.
const ALIVE: &str = "a thread died while it changed the queue, so its state is unknown";

type Guard<'g, L, R> = MutexGuard<'g, Inner<L, R>>;

/// A queue for many threads.
#[derive(Debug)]
pub struct SharedQueue<L: Log, C: Clock, R: Rules = Chapter> {
    inner: Mutex<Inner<L, R>>,
    clock: C,
}

#[derive(Debug)]
struct Inner<L: Log, R: Rules> {
    queue: Queue<L, R>,
    lobby: Lobby,
    /// Where each waiting thread sleeps, in the order in which they began to wait.
    seats: BTreeMap<Ticket, Arc<Condvar>>,
    /// The answers that their threads have not fetched yet.
    answers: BTreeMap<Ticket, Result<Lease, PollEnd>>,
    /// Until when the first in line sleeps: it keeps the time for all.
    sleeps_until: Option<Timestamp>,
}

/// A poll ended without a lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PollEnd {
    /// The queue refused: nothing came in time, or its log failed.
    Refused(Refusal),
    /// Somebody called the wait off.
    Cancelled,
}

impl<L: Log, C: Clock, R: Rules> SharedQueue<L, C, R> {
    /// Shares a queue, by this clock.
    pub fn new(queue: Queue<L, R>, clock: C) -> Self {
        let (seats, answers) = (BTreeMap::new(), BTreeMap::new());
        let inner = Inner {
            queue,
            lobby: Lobby::default(),
            seats,
            answers,
            sleeps_until: None,
        };
        SharedQueue {
            inner: Mutex::new(inner),
            clock,
        }
    }

    /// Makes any call on the queue, at the clock's now, and wakes whoever it serves.
    pub fn call<T>(&self, call: impl FnOnce(&mut Queue<L, R>, Timestamp) -> T) -> T {
        let mut inner = self.lock();
        let now = self.clock.now();
        let answer = call(&mut inner.queue, now);
        if inner.queue.rules().wakes_on_change() {
            inner.turn(now);
        }
        answer
    }

    /// Polls, and waits up to `wait` for a task.
    pub fn poll(&self, queue: &QueueName, worker: &str, wait: Duration) -> Result<Lease, PollEnd> {
        self.begin_poll(queue, worker, wait).wait()
    }

    /// Begins to wait for a task; the order in which polls begin is the order in which they are served.
    pub fn begin_poll(
        &self,
        queue: &QueueName,
        worker: &str,
        wait: Duration,
    ) -> Waiting<'_, L, C, R> {
        let mut inner = self.lock();
        let now = self.clock.now();
        let ticket = inner.lobby.start(now, queue, worker, wait);
        inner.seats.insert(ticket, Arc::new(Condvar::new()));
        inner.turn(now);
        Waiting {
            shared: self,
            queue: queue.clone(),
            ticket,
        }
    }

    /// Looks at the clock again: for a clock that is moved by hand.
    pub fn clock_moved(&self) {
        let mut inner = self.lock();
        inner.turn(self.clock.now());
    }

    /// How many polls wait.
    pub fn waiting(&self) -> usize {
        self.lock().lobby.len()
    }

    fn lock(&self) -> Guard<'_, L, R> {
        self.inner.lock().expect(ALIVE)
    }
}

impl<L: Log, R: Rules> Inner<L, R> {
    /// Serves whoever can be served, wakes their threads, and the timekeeper if its time has changed.
    fn turn(&mut self, now: Timestamp) {
        for served in self.lobby.turn(&mut self.queue, now) {
            self.answer(served.ticket, served.answer.map_err(PollEnd::Refused));
        }
        self.wake_timekeeper(now);
    }

    fn answer(&mut self, ticket: Ticket, answer: Result<Lease, PollEnd>) {
        if self.keeps_time(ticket) {
            self.sleeps_until = None;
        }
        if let Some(seat) = self.seats.remove(&ticket) {
            self.answers.insert(ticket, answer);
            seat.notify_one();
        }
    }

    /// The first in line keeps the time for all who wait.
    fn keeps_time(&self, ticket: Ticket) -> bool {
        self.seats
            .first_key_value()
            .is_some_and(|(first, _)| *first == ticket)
    }

    /// Wakes the first in line if it sleeps too long, or if it does not know yet that it is the first.
    fn wake_timekeeper(&mut self, now: Timestamp) {
        let Some(soonest) = self.lobby.wake(&mut self.queue, now) else {
            return;
        };
        let too_long = self.sleeps_until.is_none_or(|until| soonest.at < until);
        if let Some((_, first)) = self.seats.first_key_value().filter(|_| too_long) {
            first.notify_one();
        }
    }

    fn cancel(&mut self, queue: &QueueName, ticket: Ticket, now: Timestamp) -> bool {
        let waited = self.lobby.cancel(queue, ticket);
        if waited {
            self.answer(ticket, Err(PollEnd::Cancelled));
            self.wake_timekeeper(now);
        }
        waited
    }
}

/// A poll that waits. Dropped, it waits no longer.
#[derive(Debug)]
pub struct Waiting<'q, L: Log, C: Clock, R: Rules> {
    shared: &'q SharedQueue<L, C, R>,
    queue: QueueName,
    ticket: Ticket,
}

impl<L: Log, C: Clock, R: Rules> Waiting<'_, L, C, R> {
    /// Blocks until there is an answer: a lease, the end of the wait, or its cancellation.
    pub fn wait(self) -> Result<Lease, PollEnd> {
        let mut inner = self.shared.lock();
        loop {
            if let Some(answer) = inner.answers.remove(&self.ticket) {
                return answer;
            }
            inner = if inner.keeps_time(self.ticket) {
                self.keep_time(inner)
            } else {
                self.sleep(inner)
            };
        }
    }

    /// Calls the wait off, from any thread. False if it had its answer already.
    pub fn cancel(&self) -> bool {
        let mut inner = self.shared.lock();
        inner.cancel(&self.queue, self.ticket, self.shared.clock.now())
    }

    /// Sleeps until somebody wakes this seat.
    fn sleep<'g>(&self, inner: Guard<'g, L, R>) -> Guard<'g, L, R> {
        match inner.seats.get(&self.ticket).cloned() {
            Some(seat) => seat.wait(inner).expect(ALIVE),
            None => inner,
        }
    }

    /// Serves whom time has served, then sleeps until time alone changes the queue, or until woken.
    fn keep_time<'g>(&self, mut guard: Guard<'g, L, R>) -> Guard<'g, L, R> {
        let now = self.shared.clock.now();
        let inner = &mut *guard;
        inner.sleeps_until = None;
        inner.turn(now);
        let Some(seat) = inner.seats.get(&self.ticket).cloned() else {
            return guard;
        };
        let soonest = inner
            .lobby
            .wake(&mut inner.queue, now)
            .map_or(now, |wake| wake.at);
        inner.sleeps_until = Some(soonest);
        let mut guard = seat.wait_timeout(guard, soonest.since(now)).expect(ALIVE).0;
        guard.sleeps_until = None;
        guard
    }
}

impl<L: Log, C: Clock, R: Rules> Drop for Waiting<'_, L, C, R> {
    fn drop(&mut self) {
        // A lock that a panic has poisoned is left alone: this may run because of that very panic.
        if let Ok(mut inner) = self.shared.inner.lock() {
            inner.cancel(&self.queue, self.ticket, self.shared.clock.now());
            inner.answers.remove(&self.ticket);
        }
    }
}

impl fmt::Display for PollEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PollEnd::Refused(refusal) => refusal.fmt(f),
            PollEnd::Cancelled => write!(f, "cancelled: the wait was called off"),
        }
    }
}

impl std::error::Error for PollEnd {}
