//! The chapter's own tests by their own names (section 4), by the chapter's rules.
//!

//! It knows their names. It deliberately knows no body: those are in `chapter/`, for any rules. The other
//! six are called by `hand_timeline`, `long_poll` and `recovery`.

use fencepost_core::bugs::CHAPTER;
use fencepost_tests::chapter;

#[test]
fn crashed_worker_task_reappears() {
    chapter::crashed_worker_task_reappears(CHAPTER);
}

#[test]
fn stale_token_lease_lost() {
    chapter::stale_token_lease_lost(CHAPTER);
}

#[test]
fn heartbeat_extends_lease() {
    chapter::heartbeat_extends_lease(CHAPTER);
}

#[test]
fn poison_task_to_dlq_after_max_attempts() {
    chapter::poison_task_to_dlq_after_max_attempts(CHAPTER);
}

#[test]
fn non_retryable_dropped() {
    chapter::non_retryable_dropped(CHAPTER);
}

#[test]
fn redrive() {
    chapter::redrive(CHAPTER);
}

#[test]
fn enqueue_duplicate_is_noop() {
    chapter::enqueue_duplicate_is_noop(CHAPTER);
}

#[test]
fn fifo_among_visible() {
    chapter::fifo_among_visible(CHAPTER);
}

#[test]
fn concurrent_pollers_one_lease_each() {
    chapter::concurrent_pollers_one_lease_each(CHAPTER);
}

#[test]
fn exactly_once_effects_under_chaos() {
    chapter::exactly_once_effects_under_chaos(CHAPTER);
}
