//! Schedules, made at random and shrunk by the library: what the properties are tried on.
//!
//! It knows steps and how likely each is. It deliberately knows no answer.

use proptest::collection::vec;
use proptest::prelude::*;

/// A step of a schedule. Leases are named by how many were handed out since: 0 is the newest.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// The clock moves on, in ms.
    Wait(u64),
    /// The clock steps back, in ms.
    Back(u64),
    Enqueue {
        task: u8,
        max_attempts: u32,
        visibility_ms: u64,
    },
    Poll,
    Check(usize),
    Heartbeat(usize),
    Complete(usize),
    Fail {
        lease: usize,
        non_retryable: bool,
        retry_ms: u64,
    },
    Redrive(Vec<u8>),
    DeadLetters,
    Reopen,
    /// The log refuses the next call.
    Refuse,
}

/// Times that meet deadlines exactly more often than chance would have it.
pub(crate) fn some_ms() -> impl Strategy<Value = u64> {
    prop_oneof![
        Just(0),
        Just(1),
        Just(29_999),
        Just(30_000),
        Just(5_000),
        0..70_000u64
    ]
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    let lease = || prop_oneof![3 => Just(0usize), 1 => 0..4usize];
    prop_oneof![
        4 => some_ms().prop_map(Step::Wait),
        1 => (0..50_000u64).prop_map(Step::Back),
        4 => (0..5u8, 0..4u32, prop_oneof![2 => Just(0), 1 => some_ms()]).prop_map(
            |(task, max_attempts, visibility_ms)| Step::Enqueue { task, max_attempts, visibility_ms }
        ),
        6 => Just(Step::Poll),
        1 => lease().prop_map(Step::Check),
        2 => lease().prop_map(Step::Heartbeat),
        2 => lease().prop_map(Step::Complete),
        3 => (lease(), prop::bool::weighted(0.1), some_ms()).prop_map(
            |(lease, non_retryable, retry_ms)| Step::Fail { lease, non_retryable, retry_ms }
        ),
        1 => vec(0..5u8, 0..3).prop_map(Step::Redrive),
        1 => Just(Step::DeadLetters),
        1 => Just(Step::Reopen),
        1 => Just(Step::Refuse),
    ]
}
