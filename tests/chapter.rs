//! The chapter's sixteen tests (section 4), each a function of the rules it judges.
//!
//! It knows their names and their order. It deliberately knows no bug: who passes and who fails is for
//! those that call them.

mod chaos;
mod leases;
mod log;
mod long_poll;
mod order;
mod retries;
pub mod timeline;

pub use chaos::exactly_once_effects_under_chaos;
pub use leases::{crashed_worker_task_reappears, heartbeat_extends_lease, stale_token_lease_lost};
pub use log::{everything, log_failure_changes_nothing, recovery_from_log};
pub use long_poll::{
    long_poll_times_out, long_poll_wakes_on_enqueue, long_poll_wakes_on_retry_due,
};
pub use order::{concurrent_pollers_one_lease_each, enqueue_duplicate_is_noop, fifo_among_visible};
pub use retries::{non_retryable_dropped, poison_task_to_dlq_after_max_attempts, redrive};
pub use timeline::hand_timeline;

use fencepost_core::bugs::Chosen;

/// One of the sixteen: it panics if the rules are wrong, and says where.
pub type ChapterTest = fn(Chosen);

/// Writes each name once.
macro_rules! by_name {
    ($($test:ident)*) => { [$((stringify!($test), $test)),*] };
}

/// All sixteen, in the chapter's order.
pub const CHAPTER_TESTS: [(&str, ChapterTest); 16] = by_name! {
    hand_timeline
    enqueue_duplicate_is_noop
    fifo_among_visible
    stale_token_lease_lost
    heartbeat_extends_lease
    poison_task_to_dlq_after_max_attempts
    non_retryable_dropped
    redrive
    long_poll_wakes_on_enqueue
    long_poll_wakes_on_retry_due
    long_poll_times_out
    crashed_worker_task_reappears
    recovery_from_log
    log_failure_changes_nothing
    concurrent_pollers_one_lease_each
    exactly_once_effects_under_chaos
};
