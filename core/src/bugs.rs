//! The planted bugs: nineteen queues, each wrong in one sentence of the chapter (section 5).
//!
//! It knows, of each bug, the pitfall, the one rule it overrides, the sentence it breaks and the chapter's
//! test that kills it. It deliberately knows no state: a bug is a type with one method, and the right code
//! has no `if bug`.

use crate::bytes::Bytes;
use crate::rules::{Chapter, Place, Rules};
use crate::task::{Attempt, Disposition, Phase, TaskError, Token};
use crate::time::Timestamp;
use crate::wake::Why;
use core::fmt;
use core::time::Duration;

/// Rules that are chosen at run time: the chapter's, or those with one bug.
pub type Chosen = &'static (dyn Rules + Sync);

/// The chapter's rules, as a choice.
pub const CHAPTER: Chosen = &Chapter;

/// One planted bug.
#[derive(Clone, Copy)]
pub struct Bug {
    /// `s01` to `s19`, as in the chapter.
    pub id: &'static str,
    /// What it does wrong, in a few words.
    pub does: &'static str,
    /// The pitfall of section 5 it belongs to, 1 to 8.
    pub pitfall: u8,
    /// The rule it overrides.
    pub rule: &'static str,
    /// The sentence it breaks: the rule's own.
    pub sentence: &'static str,
    /// The chapter's test that kills it, by its name in this project.
    pub killed_by: &'static str,
    /// The chapter's rules with this one overridden.
    pub rules: Chosen,
}

impl Bug {
    /// The bug with this id.
    pub fn named(id: &str) -> Result<&'static Bug, NoSuchBug> {
        BUGS.iter().find(|bug| bug.id == id).ok_or(NoSuchBug)
    }
}

impl fmt::Debug for Bug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.id, self.does)
    }
}

/// There is no planted bug of that id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchBug;

impl fmt::Display for NoSuchBug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no such planted bug: they are called s01 to s19")
    }
}

impl core::error::Error for NoSuchBug {}

/// The rules that no planted bug overrides, and why the chapter needs none there.
pub const UNPLANTED: [(&str, &str); 3] = [
    (
        "deadline",
        "a wrong length of a lease is wrong in the first row of section 3, in every queue there is",
    ),
    (
        "is_expired",
        "an end seen too late hides a task and an end seen too early gives it two owners: s03 is the second seen from the lease",
    ),
    (
        "attempt_next",
        "a wrong count moves the last attempt, and s09 moves it by one",
    ),
];

/// Writes down each bug once: the type, its one rule, and its row of the table.
macro_rules! bugs {
    ($($name:ident $id:literal, $pitfall:literal, $does:literal,
       breaks $rule:literal $sentence:literal, killed by $test:literal: { $method:item })*) => {
        $(
            #[doc = concat!($id, ": ", $does, ".")]
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct $name;

            impl Rules for $name {
                $method
            }
        )*

        /// All nineteen, in the chapter's order.
        pub const BUGS: [Bug; 19] = [
            $(Bug {
                id: $id,
                does: $does,
                pitfall: $pitfall,
                rule: $rule,
                sentence: $sentence,
                killed_by: $test,
                rules: &$name,
            },)*
        ];
    };
}

bugs! {
    S01 "s01", 4, "a retry is visible at once, its delay ignored",
    breaks "visible_again_at" "A retry is visible again once its delay has passed.",
    killed by "hand_timeline": {
        fn visible_again_at(&self, now: Timestamp, _: Duration) -> Timestamp { now }
    }

    S02 "s02", 6, "newest first instead of first visible",
    breaks "place_in_line" "First visible, first out; ties in enqueue order.",
    killed by "fifo_among_visible": {
        fn place_in_line(&self, visible_at: Timestamp, sequence: u64) -> Place {
            (u64::MAX - visible_at.as_millis(), u64::MAX - sequence)
        }
    }

    S03 "s03", 1, "a lease is still live at its deadline instant",
    breaks "is_live" "A lease acts only before its deadline; at its deadline it is over.",
    killed by "crashed_worker_task_reappears": {
        fn is_live(&self, now: Timestamp, deadline: Timestamp) -> bool { now <= deadline }
    }

    S04 "s04", 2, "the token is not compared",
    breaks "is_newest" "A lease acts only if its token is the task's newest.",
    killed by "stale_token_lease_lost": {
        fn is_newest(&self, _: Token, _: Token) -> bool { true }
    }

    S05 "s05", 2, "an expired lease may still act",
    breaks "is_live" "A lease acts only before its deadline; at its deadline it is over.",
    killed by "stale_token_lease_lost": {
        fn is_live(&self, _: Timestamp, _: Timestamp) -> bool { true }
    }

    S06 "s06", 2, "every lease gets the same token",
    breaks "token_next" "A token is larger than every token handed out before, over all queues.",
    killed by "hand_timeline": {
        fn token_next(&self, _: Token) -> Token { Token(1) }
    }

    S07 "s07", 5, "a heartbeat does not extend the lease",
    breaks "deadline_after_heartbeat" "A heartbeat moves the deadline to one visibility timeout from now.",
    killed by "heartbeat_extends_lease": {
        fn deadline_after_heartbeat(&self, _: Timestamp, _: Duration, deadline: Timestamp) -> Timestamp {
            deadline
        }
    }

    S08 "s08", 5, "a heartbeat's details are lost",
    breaks "details_after_heartbeat" "A heartbeat's details are kept; one that brings none keeps those there were.",
    killed by "heartbeat_extends_lease": {
        fn details_after_heartbeat(&self, kept: &Bytes, _: &Bytes) -> Bytes { kept.clone() }
    }

    S09 "s09", 3, "one attempt too many before the dead letters",
    breaks "is_last_attempt" "The attempt that reaches the maximum is the last.",
    killed by "poison_task_to_dlq_after_max_attempts": {
        fn is_last_attempt(&self, attempt: Attempt, max_attempts: u32) -> bool { attempt.0 > max_attempts }
    }

    S10 "s10", 3, "an expired last attempt is redelivered for ever",
    breaks "after_expiry" "An expired lease's task is visible again, unless that was its last attempt: then it is dead.",
    killed by "hand_timeline": {
        fn after_expiry(&self, _: Attempt, _: u32) -> Phase { Phase::Visible }
    }

    S11 "s11", 3, "a non-retryable failure is retried",
    breaks "disposition" "A failure drops a task that no retry can help, parks one on its last attempt, and retries the rest.",
    killed by "non_retryable_dropped": {
        fn disposition(&self, error: &TaskError, attempt: Attempt, max_attempts: u32, now: Timestamp) -> Disposition {
            let retryable = TaskError { non_retryable: false, ..error.clone() };
            Chapter.disposition(&retryable, attempt, max_attempts, now)
        }
    }

    S12 "s12", 3, "a redrive keeps the old attempt count",
    breaks "attempts_after_redrive" "A redriven task begins to count its attempts anew.",
    killed by "redrive": {
        fn attempts_after_redrive(&self, attempts: Attempt) -> Attempt { attempts }
    }

    S13 "s13", 7, "a duplicate enqueue replaces the task",
    breaks "keeps_held_task" "An id that the queue still holds is not enqueued again, whatever its task is just now.",
    killed by "enqueue_duplicate_is_noop": {
        fn keeps_held_task(&self, _: Phase) -> bool { false }
    }

    S14 "s14", 6, "no wake-up when something changes",
    breaks "wakes_on_change" "Every change of a queue wakes the polls that wait for it.",
    killed by "long_poll_wakes_on_enqueue": {
        fn wakes_on_change(&self) -> bool { false }
    }

    S15 "s15", 6, "no wake-up when a retry comes due",
    breaks "wakes_for" "A retry that comes due wakes them too, and so does a lease's deadline.",
    killed by "long_poll_wakes_on_retry_due": {
        fn wakes_for(&self, why: Why) -> bool { why != Why::RetryDue }
    }

    S16 "s16", 2, "the token counter restarts after a crash",
    breaks "token_after_recovery" "After a restart the counter goes on from the lease records.",
    killed by "recovery_from_log": {
        fn token_after_recovery(&self, _: Token) -> Token { Token(0) }
    }

    S17 "s17", 8, "memory changes before the record is durable",
    breaks "record_comes_first" "A record is durable before memory changes.",
    killed by "log_failure_changes_nothing": {
        fn record_comes_first(&self) -> bool { false }
    }

    S18 "s18", 7, "an acknowledgement does not remove the task",
    breaks "leaves_when_acknowledged" "An acknowledged task leaves, and its id is free again.",
    killed by "exactly_once_effects_under_chaos": {
        fn leaves_when_acknowledged(&self) -> bool { false }
    }

    S19 "s19", 6, "the end of a wait spins",
    breaks "wait_is_over" "At its own end a wait is over, and answers once.",
    killed by "long_poll_times_out": {
        fn wait_is_over(&self, now: Timestamp, ends_at: Timestamp) -> bool { now > ends_at }
    }
}
