//! The deterministic driver of long polls: time moves because a caller says so.
//!
//! It knows when to turn the lobby: at every change, and at every instant the lobby asks for, in order.
//! It deliberately has no thread; a test or a simulation sees every turn.

use crate::log::Log;
use crate::long_poll::{Lobby, Served, Ticket};
use crate::queue::Queue;
use crate::rules::Rules;
use crate::task::QueueName;
use crate::time::Timestamp;
use alloc::vec::Vec;
use core::time::Duration;

/// At one unmoving instant the lobby is turned at most so often; a rule that asks for more spins.
pub const TURNS_AN_INSTANT_MAX: usize = 100;

/// A queue with polls that wait for it, and a clock that is moved by hand.
#[derive(Clone, Debug)]
pub struct VirtualTime<L: Log, R: Rules> {
    queue: Queue<L, R>,
    lobby: Lobby,
    now: Timestamp,
    turns: usize,
}

/// An answer and when it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedAt {
    /// When.
    pub at: Timestamp,
    /// Whose, and what.
    pub served: Served,
}

impl<L: Log, R: Rules> VirtualTime<L, R> {
    /// Starts at the epoch.
    pub fn new(queue: Queue<L, R>) -> Self {
        VirtualTime {
            queue,
            lobby: Lobby::default(),
            now: Timestamp::ZERO,
            turns: 0,
        }
    }

    /// How often the lobby was turned: a poll that waits costs a turn a change and a turn a due time.
    pub fn turns(&self) -> usize {
        self.turns
    }

    /// Who waits.
    pub fn lobby(&self) -> &Lobby {
        &self.lobby
    }

    /// A poll begins to wait; it may be served at once.
    pub fn start(
        &mut self,
        queue: &QueueName,
        worker: &str,
        wait: Duration,
    ) -> (Ticket, Vec<ServedAt>) {
        let ticket = self.lobby.start(self.now, queue, worker, wait);
        (ticket, self.turn())
    }

    /// A poll waits no longer; false if it had its answer.
    pub fn cancel(&mut self, queue: &QueueName, ticket: Ticket) -> bool {
        self.lobby.cancel(queue, ticket)
    }

    /// Calls the queue now, then wakes whoever waits, if the rules say that a change does.
    pub fn call<T>(
        &mut self,
        call: impl FnOnce(&mut Queue<L, R>, Timestamp) -> T,
    ) -> (T, Vec<ServedAt>) {
        let answer = call(&mut self.queue, self.now);
        let served = if self.queue.rules().wakes_on_change() {
            self.turn()
        } else {
            Vec::new()
        };
        (answer, served)
    }

    /// Moves the clock, stopping at each instant at which the lobby wants to be turned.
    pub fn advance_to(&mut self, until: Timestamp) -> Vec<ServedAt> {
        let (served, turns) = advance(&mut self.lobby, &mut self.queue, self.now, until);
        self.now = self.now.max(until);
        self.turns += turns;
        served
    }

    fn turn(&mut self) -> Vec<ServedAt> {
        self.turns += 1;
        turn(&mut self.lobby, &mut self.queue, self.now).collect()
    }
}

/// Moves the clock from one instant to a later one, stopping at each at which the lobby wants to be turned.
/// Gives who was served, and how often the lobby was turned.
pub(crate) fn advance<L: Log, R: Rules>(
    lobby: &mut Lobby,
    queue: &mut Queue<L, R>,
    from: Timestamp,
    until: Timestamp,
) -> (Vec<ServedAt>, usize) {
    let (mut now, mut turns, mut turns_here) = (from, 0, 0);
    let mut served = Vec::new();
    while let Some(at) = lobby
        .wake(queue, now)
        .map(|wake| wake.at)
        .filter(|at| *at <= until)
    {
        turns_here = if at > now { 1 } else { turns_here + 1 };
        if turns_here > TURNS_AN_INSTANT_MAX {
            break;
        }
        now = now.max(at);
        turns += 1;
        served.extend(turn(lobby, queue, now));
    }
    (served, turns)
}

pub(crate) fn turn<L: Log, R: Rules>(
    lobby: &mut Lobby,
    queue: &mut Queue<L, R>,
    at: Timestamp,
) -> impl Iterator<Item = ServedAt> {
    let served = lobby.turn(queue, at).into_iter();
    served.map(move |served| ServedAt { at, served })
}
