//! The rules: each method is one sentence of the chapter, and its default body is that sentence.
//!
//! Beneath each stands the test that guards it, as file and function in `tests/`.
//!
//! It knows numbers and answers. It deliberately knows no state, no log and no clock: a rule is a function
//! of its arguments. A planted bug is a type that overrides one of them; [`Chapter`] overrides none.

use crate::bytes::Bytes;
use crate::task::{Attempt, Disposition, Phase, TaskError, Token};
use crate::time::Timestamp;
use crate::wake::Why;
use core::time::Duration;

/// Where a visible task stands in the line: the smallest is handed out first.
pub type Place = (u64, u64);

/// The sentences of the queue chapter, sections 2.1 to 2.5.
pub trait Rules {
    // 2.1 Leases and the visibility timeout

    /// A lease ends one visibility timeout after its poll.
    ///
    /// Guarded by `hand_timeline::hand_timeline`.
    fn deadline(&self, now: Timestamp, visibility: Duration) -> Timestamp {
        now.plus(visibility)
    }

    /// From its deadline on, whoever looks treats a lease as expired.
    ///
    /// Guarded by `course::crashed_worker_task_reappears`.
    fn is_expired(&self, now: Timestamp, deadline: Timestamp) -> bool {
        now >= deadline
    }

    /// An expired lease's task is visible again, unless that was its last attempt: then it is dead.
    ///
    /// Guarded by `calls::a_poison_task_dies_at_its_deadline`.
    fn after_expiry(&self, attempt: Attempt, max_attempts: u32) -> Phase {
        if self.is_last_attempt(attempt, max_attempts) {
            Phase::Dead
        } else {
            Phase::Visible
        }
    }

    /// The next delivery is one attempt more.
    ///
    /// Guarded by `course::poison_task_to_dlq_after_max_attempts`.
    fn attempt_next(&self, attempt: Attempt) -> Attempt {
        Attempt(attempt.0.saturating_add(1))
    }

    /// A heartbeat moves the deadline to one visibility timeout from now.
    ///
    /// Guarded by `course::heartbeat_extends_lease`.
    fn deadline_after_heartbeat(
        &self,
        now: Timestamp,
        visibility: Duration,
        _deadline: Timestamp,
    ) -> Timestamp {
        now.plus(visibility)
    }

    /// A heartbeat's details are kept; one that brings none keeps those there were.
    ///
    /// Guarded by `course::heartbeat_extends_lease`.
    fn details_after_heartbeat(&self, kept: &Bytes, brought: &Bytes) -> Bytes {
        if brought.is_empty() {
            kept.clone()
        } else {
            brought.clone()
        }
    }

    // 2.2 Fencing tokens

    /// A token is larger than every token handed out before, over all queues.
    ///
    /// Guarded by `course::concurrent_pollers_one_lease_each`.
    fn token_next(&self, last: Token) -> Token {
        Token(last.0 + 1)
    }

    /// After a restart the counter goes on from the lease records.
    ///
    /// Guarded by `recovery::recovery_from_log`.
    fn token_after_recovery(&self, last_in_log: Token) -> Token {
        last_in_log
    }

    /// A lease acts only if its token is the task's newest.
    ///
    /// Guarded by `course::stale_token_lease_lost`.
    fn is_newest(&self, given: Token, newest: Token) -> bool {
        given == newest
    }

    /// A lease acts only before its deadline; at its deadline it is over.
    ///
    /// Guarded by `course::crashed_worker_task_reappears`.
    fn is_live(&self, now: Timestamp, deadline: Timestamp) -> bool {
        now < deadline
    }

    // 2.3 Retries and the dead letters

    /// The attempt that reaches the maximum is the last.
    ///
    /// Guarded by `course::poison_task_to_dlq_after_max_attempts`.
    fn is_last_attempt(&self, attempt: Attempt, max_attempts: u32) -> bool {
        attempt.0 >= max_attempts
    }

    /// A failure drops a task that no retry can help, parks one on its last attempt, and retries the rest.
    ///
    /// Guarded by `course::non_retryable_dropped`.
    fn disposition(
        &self,
        error: &TaskError,
        attempt: Attempt,
        max_attempts: u32,
        now: Timestamp,
    ) -> Disposition {
        if error.non_retryable {
            Disposition::Dropped
        } else if self.is_last_attempt(attempt, max_attempts) {
            Disposition::DeadLettered
        } else {
            Disposition::Retrying {
                visible_at: self.visible_again_at(now, error.retry_after),
            }
        }
    }

    /// A retry is visible again once its delay has passed.
    ///
    /// Guarded by `calls::a_retry_waits_its_delay`.
    fn visible_again_at(&self, now: Timestamp, retry_after: Duration) -> Timestamp {
        now.plus(retry_after)
    }

    /// A redriven task begins to count its attempts anew.
    ///
    /// Guarded by `course::redrive`.
    fn attempts_after_redrive(&self, _attempts: Attempt) -> Attempt {
        Attempt(0)
    }

    // 2.4 Order and the long poll

    /// First visible, first out; ties in enqueue order.
    ///
    /// Guarded by `course::fifo_among_visible`.
    fn place_in_line(&self, visible_at: Timestamp, sequence: u64) -> Place {
        (visible_at.as_millis(), sequence)
    }

    /// Every change of a queue wakes the polls that wait for it.
    ///
    /// Guarded by `long_poll::long_poll_wakes_on_enqueue`.
    fn wakes_on_change(&self) -> bool {
        true
    }

    /// A retry that comes due wakes them too, and so does a lease's deadline.
    ///
    /// Guarded by `long_poll::long_poll_wakes_on_retry_due`.
    fn wakes_for(&self, _why: Why) -> bool {
        true
    }

    /// At its own end a wait is over, and answers once.
    ///
    /// Guarded by `long_poll::long_poll_times_out`.
    fn wait_is_over(&self, now: Timestamp, ends_at: Timestamp) -> bool {
        now >= ends_at
    }

    // 2.5 Durability and idempotent enqueue

    /// A record is durable before memory changes.
    ///
    /// Guarded by `recovery::log_failure_changes_nothing`.
    fn record_comes_first(&self) -> bool {
        true
    }

    /// An id that the queue still holds is not enqueued again, whatever its task is just now.
    ///
    /// Guarded by `course::enqueue_duplicate_is_noop`.
    fn keeps_held_task(&self, _phase: Phase) -> bool {
        true
    }

    /// An acknowledged task leaves, and its id is free again.
    ///
    /// Guarded by `course::exactly_once_effects_under_chaos`.
    fn leaves_when_acknowledged(&self) -> bool {
        true
    }
}

/// The chapter's rules, word for word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chapter;

impl Rules for Chapter {}

/// Whoever points to rules goes by them, so that they can be chosen at run time.
macro_rules! forward {
    ($($rule:ident($($name:ident: $type:ty),*) -> $answer:ty;)*) => {
        impl<R: Rules + ?Sized> Rules for &R {
            $(fn $rule(&self, $($name: $type),*) -> $answer {
                (**self).$rule($($name),*)
            })*
        }
    };
}

forward! {
    deadline(now: Timestamp, visibility: Duration) -> Timestamp;
    is_expired(now: Timestamp, deadline: Timestamp) -> bool;
    after_expiry(attempt: Attempt, max_attempts: u32) -> Phase;
    attempt_next(attempt: Attempt) -> Attempt;
    deadline_after_heartbeat(now: Timestamp, visibility: Duration, deadline: Timestamp) -> Timestamp;
    details_after_heartbeat(kept: &Bytes, brought: &Bytes) -> Bytes;
    token_next(last: Token) -> Token;
    token_after_recovery(last_in_log: Token) -> Token;
    is_newest(given: Token, newest: Token) -> bool;
    is_live(now: Timestamp, deadline: Timestamp) -> bool;
    is_last_attempt(attempt: Attempt, max_attempts: u32) -> bool;
    disposition(error: &TaskError, attempt: Attempt, max_attempts: u32, now: Timestamp) -> Disposition;
    visible_again_at(now: Timestamp, retry_after: Duration) -> Timestamp;
    attempts_after_redrive(attempts: Attempt) -> Attempt;
    place_in_line(visible_at: Timestamp, sequence: u64) -> Place;
    wakes_on_change() -> bool;
    wakes_for(why: Why) -> bool;
    wait_is_over(now: Timestamp, ends_at: Timestamp) -> bool;
    record_comes_first() -> bool;
    keeps_held_task(phase: Phase) -> bool;
    leaves_when_acknowledged() -> bool;
}
