//! A bench under the oracle's eyes: every call is carried out, judged, and looked at from outside.
//!
//! It knows the order of things at each call: look, call, tell, look again, replay the log. It deliberately
//! draws nothing and decides nothing.

use crate::bench::{Bench, Told};
use crate::bugs::Chosen;
use crate::call::{Answer, Call, Outcome};
use crate::log::{Log, NoLog};
use crate::oracle::{Heard, Oracle, Standing, same_to_see};
use crate::picture::Picture;
use crate::queue::Queue;
use crate::rules::Rules;
use crate::task::{Options, QueueName};
use crate::time::Timestamp;
use crate::virtual_time::TURNS_AN_INSTANT_MAX;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A queue, its oracle, and a second queue that knows only the log.
#[derive(Clone, Debug)]
pub struct Watched<R: Rules + Clone = Chosen> {
    /// The queue.
    pub bench: Bench<R>,
    /// Who judges it.
    pub oracle: Oracle,
    /// The digest of everything so far.
    pub digest: Digest,
    /// It is told every record, and nothing else.
    follower: Queue<NoLog, R>,
    /// How many records the follower was told.
    followed: usize,
    queues: Vec<QueueName>,
    rules: R,
}

/// What one call came to, and who was served on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Came {
    /// The call's own answer.
    pub answer: Answer,
    /// The queue's now.
    pub now: Timestamp,
    /// What the call's task was just before it, to whoever called; without a task, what the queue held.
    pub standing: Standing,
    /// How many waited just before it.
    pub waited: usize,
    /// Waiting polls that were answered by the clock, before the call, and by the call.
    pub served: Vec<Told>,
}

impl<R: Rules + Clone> Watched<R> {
    /// Nothing in it yet: calls may go to the first queue and to the others.
    pub fn new(first: &QueueName, others: &[QueueName], rules: R, options: Options) -> Self {
        let queue = || Queue::empty(NoLog, rules.clone(), options);
        Watched {
            bench: Bench::new(first.clone(), rules.clone(), options),
            oracle: Oracle::new(options),
            digest: Digest::EMPTY,
            follower: queue(),
            followed: 0,
            queues: core::iter::once(first).chain(others).cloned().collect(),
            rules,
        }
    }

    /// Carries a call out and judges it.
    pub fn call(&mut self, at: Timestamp, by: &str, queue: &QueueName, call: &Call) -> Came {
        let turns = self.bench.turns();
        self.bench.pass_time(at);
        let mut served = self.hear_served();
        let before = self.look(at);
        let now = before.first().map_or(at, |(_, picture)| picture.at);
        self.oracle.pass_time(now);
        let standing = self.oracle.standing_of(queue, call);
        let (_, _, waited) = self.oracle.counts();
        let answer = call.carry_out_in(&mut self.bench, queue, at, by);
        let heard = Heard {
            now,
            by,
            queue,
            call,
            answer: &answer,
        };
        self.oracle.listen(heard);
        let after_call = self.hear_served();
        let is_alone = after_call.is_empty();
        served.extend(after_call);
        let leased = served.iter().filter(|told| told.answer.lease.is_some());
        let changes = leased.count() + usize::from(answer.outcome.is_change_by(call));
        self.oracle.all_told();
        self.oracle
            .turned(self.bench.turns() - turns, TURNS_AN_INSTANT_MAX);
        self.look_again(at, queue, call, &answer, is_alone, &before);
        self.add_to_digest(now, by, queue, call, &answer.outcome);
        let everywhere = !served.is_empty() || *call == Call::Reopen;
        self.follow(at, queue, call, everywhere, changes);
        Came {
            answer,
            now,
            standing,
            waited,
            served,
        }
    }

    fn hear_served(&mut self) -> Vec<Told> {
        let served = self.bench.take_served();
        served.iter().for_each(|told| self.oracle.told(told));
        served
    }

    fn look(&mut self, at: Timestamp) -> Vec<(QueueName, Picture)> {
        let bench = &mut self.bench;
        let names = self.queues.iter();
        names
            .map(|name| (name.clone(), bench.queue.picture(at, name)))
            .collect()
    }

    /// What a refused call left, and what the call left of other queues. Others who were served meanwhile
    /// changed something too; then nothing can be told from looking.
    fn look_again(
        &mut self,
        at: Timestamp,
        queue: &QueueName,
        call: &Call,
        answer: &Answer,
        is_alone: bool,
        before: &[(QueueName, Picture)],
    ) {
        let changed_it = answer.outcome.is_change_by(call);
        for (name, before) in before {
            if is_alone && !(changed_it && name == queue) {
                let after = self.bench.queue.picture(at, name);
                self.oracle.looked(name == queue, call, before, &after);
            }
        }
    }

    /// The follower is told what was written, and must then look like the queue.
    fn follow(
        &mut self,
        at: Timestamp,
        queue: &QueueName,
        call: &Call,
        everywhere: bool,
        changes: usize,
    ) {
        let entries = self.bench.queue.log().entries();
        let written = entries.len() - self.followed;
        for (position, entry) in entries.iter().enumerate().skip(self.followed) {
            self.digest.add(&entry.line);
            if let Err(error) = self.follower.replay(position, entry) {
                self.oracle.replayed(Some(format!("{error}")));
            }
        }
        self.followed += written;
        self.oracle.wrote(call, written, changes);
        if *call == Call::Reopen {
            self.follower.recover_tokens();
        }
        // What wrote nothing left everything as it was, or was found out by looking.
        let is_worth_a_look = written > 0 || *call == Call::Reopen;
        for name in self.queues.iter().filter(|_| is_worth_a_look) {
            if !everywhere && name != queue {
                continue; // only the called queue changed
            }
            let here = self.bench.queue.picture(at, name);
            let there = self.follower.picture(at, name);
            let differs = !same_to_see(&here, &there) || here.token_last != there.token_last;
            self.oracle.replayed(differs.then(|| {
                format!(
                    "at {} s the log rebuilds {:?}, the queue has {:?}",
                    here.at, there.depth, here.depth
                )
            }));
        }
    }

    fn add_to_digest(
        &mut self,
        now: Timestamp,
        by: &str,
        queue: &QueueName,
        call: &Call,
        outcome: &Outcome,
    ) {
        let of = if *queue == self.bench.name {
            String::new()
        } else {
            format!(" of {queue}")
        };
        self.digest
            .add(&format!("{now} {by}{of}: {call}: {outcome}"));
    }

    /// The rules it goes by.
    pub fn rules(&self) -> &R {
        &self.rules
    }
}

/// FNV-1a, 64 bits: enough to tell two runs apart, and not made to withstand a forger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(u64);

impl Digest {
    /// Of nothing.
    pub const EMPTY: Digest = Digest(0xcbf2_9ce4_8422_2325);

    /// The digest as the number it is.
    pub fn as_number(self) -> u64 {
        self.0
    }

    /// Adds a line, its end included.
    pub fn add(&mut self, line: &str) {
        for byte in line.bytes().chain([b'\n']) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// 16 hexadecimal digits.
impl core::fmt::Display for Digest {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
