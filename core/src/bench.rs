//! A queue to try things on: the calls of a schedule go here, its polls may wait, and it can crash.
//!
//! It knows a queue with its log in memory, who waits, and what it was opened with. It deliberately knows
//! no rule.

mod carry_out;

use crate::call::{Answer, Outcome};
use crate::log::{Log, MemoryLog};
use crate::long_poll::{Lobby, Served, Ticket};
use crate::picture::Picture;
use crate::queue::{OpenError, Queue};
use crate::rules::Rules;
use crate::task::{Options, QueueName, Token};
use crate::time::Timestamp;
use crate::virtual_time::{ServedAt, advance, turn};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

/// A queue to try things on: its log is in memory, so it can crash and open again.
#[derive(Clone, Debug)]
pub struct Bench<R: Rules + Clone> {
    /// The queue.
    pub queue: Queue<MemoryLog, R>,
    /// The queue name that calls go to if they name none.
    pub name: QueueName,
    rules: R,
    options: Options,
    /// Who polled for each token: the queue does not need to know.
    holders: BTreeMap<Token, String>,
    lobby: Lobby,
    waiting: BTreeMap<Ticket, (String, QueueName)>,
    /// What waiting polls were told and their callers have not heard yet.
    told: BTreeMap<String, Answer>,
    served: Vec<Told>,
    clock: Timestamp,
    turns: usize,
}

/// A waiting poll that was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// When.
    pub at: Timestamp,
    /// Whose poll it was.
    pub by: String,
    /// The queue it waited for.
    pub queue: QueueName,
    /// What it was told.
    pub answer: Answer,
}

impl<R: Rules + Clone> Bench<R> {
    /// A queue with nothing in it.
    pub fn new(name: QueueName, rules: R, options: Options) -> Self {
        Bench {
            queue: Queue::empty(MemoryLog::new(), rules.clone(), options),
            name,
            rules,
            options,
            holders: BTreeMap::new(),
            lobby: Lobby::default(),
            waiting: BTreeMap::new(),
            told: BTreeMap::new(),
            served: Vec::new(),
            clock: Timestamp::ZERO,
            turns: 0,
        }
    }

    /// Everything there is to see of the first queue, with who holds each lease.
    pub fn picture(&mut self, now: Timestamp) -> Picture {
        let name = self.name.clone();
        self.picture_of(&name, now)
    }

    /// The same of any queue.
    pub fn picture_of(&mut self, name: &QueueName, now: Timestamp) -> Picture {
        let mut picture = self.queue.picture(now, name);
        for lease in picture
            .tasks
            .iter_mut()
            .filter_map(|task| task.lease.as_mut())
        {
            lease.worker = self.holders.get(&lease.token).cloned().unwrap_or_default();
        }
        picture
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

    /// Crashes: what was in memory is gone, who waited is cut off, and the queue opens again from its log.
    pub fn reopen(&mut self) -> Result<(), OpenError> {
        let refuses = self.queue.log().is_refusing();
        self.queue = self.recovered()?;
        self.queue.log_mut().set_refusing(refuses);
        (self.lobby, self.waiting) = (Lobby::default(), BTreeMap::new());
        Ok(())
    }

    /// The defaults it was opened with.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Who waits for a task.
    pub fn is_waiting(&self, by: &str) -> bool {
        self.waiting.values().any(|(waiting, _)| waiting == by)
    }

    /// How often the lobby was turned so far, to see whether a rule makes it spin.
    pub fn turns(&self) -> usize {
        self.turns
    }

    /// The waiting polls that were answered since this was last asked.
    pub fn take_served(&mut self) -> Vec<Told> {
        core::mem::take(&mut self.served)
    }

    /// The clock moves, and with it whoever waits.
    pub fn pass_time(&mut self, now: Timestamp) {
        let until = self.clock.max(now);
        if !self.lobby.is_empty() {
            let (served, turns) = advance(&mut self.lobby, &mut self.queue, self.clock, until);
            self.turns += turns;
            self.tell(served);
        }
        self.clock = until;
    }

    /// A call was carried out: whoever waits looks again, if the rules say that a change wakes.
    pub(crate) fn something_changed(&mut self) {
        if self.rules.wakes_on_change() {
            self.turn();
        }
    }

    pub(crate) fn remember_holder(&mut self, token: Token, worker: &str) {
        self.holders.insert(token, String::from(worker));
    }

    /// A poll begins to wait, in place of one by the same caller that still does.
    pub(crate) fn begin_wait(&mut self, queue: &QueueName, by: &str, wait: Duration) -> Answer {
        let earlier = self
            .waiting
            .iter()
            .find(|(_, (waiting, _))| waiting == by)
            .map(|(ticket, (_, queue))| (*ticket, queue.clone()));
        if let Some((ticket, queue)) = earlier {
            self.lobby.cancel(&queue, ticket);
            self.waiting.remove(&ticket);
        }
        self.told.remove(by);
        let ticket = self.lobby.start(self.clock, queue, by, wait);
        self.waiting
            .insert(ticket, (String::from(by), queue.clone()));
        self.turn();
        // An answer at once is the call's own, and nobody waited for it.
        match self.told.remove(by) {
            Some(answer) => {
                self.served.retain(|told| told.by != by);
                answer
            }
            None => Answer::plain(Outcome::Waiting),
        }
    }

    /// What the caller's waiting poll was told.
    pub(crate) fn hear(&mut self, by: &str) -> Answer {
        let silent = if self.is_waiting(by) {
            Outcome::Waiting
        } else {
            Outcome::Refused(String::from(
                "no poll of this caller waits: it was cut off, or never began",
            ))
        };
        self.told.remove(by).unwrap_or(Answer::plain(silent))
    }

    fn turn(&mut self) {
        if !self.lobby.is_empty() {
            self.turns += 1;
            let served = turn(&mut self.lobby, &mut self.queue, self.clock).collect();
            self.tell(served);
        }
    }

    fn tell(&mut self, served: Vec<ServedAt>) {
        for ServedAt {
            at,
            served: Served { ticket, answer },
        } in served
        {
            let Some((by, queue)) = self.waiting.remove(&ticket) else {
                continue;
            };
            let answer = Answer::of_poll(answer);
            if let Some(lease) = &answer.lease {
                self.holders.insert(lease.token, by.clone());
            }
            self.told.insert(by.clone(), answer.clone());
            self.served.push(Told {
                at,
                by,
                queue,
                answer,
            });
        }
    }
}
