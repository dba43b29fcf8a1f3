//! The three long polls (section 2.4) in virtual time.
//!
//! It knows at which instant a waiting poll must answer. It deliberately knows no driver with threads.

use crate::waiting::{enqueue, fail, poll, secs, task, told, world};
use crate::{bench_with, s};
use fencepost_core::bugs::Chosen;
use fencepost_core::time::Timestamp;

/// A waiting poll answers on the enqueue, and the clock does not move for it (pitfall 6).
pub fn long_poll_wakes_on_enqueue(rules: Chosen) {
    let (mut world, queue) = world(bench_with(rules, 3));
    let (ticket, served) = world.start(&queue, "w", secs(30));
    assert!(served.is_empty());
    assert!(world.advance_to(s(7)).is_empty());
    assert_eq!(
        told(&enqueue(&mut world, &queue, "a")),
        [(s(7), ticket, task("a", 1))]
    );
    assert!(world.lobby().is_empty());
}

/// A waiting poll answers at the instant at which the retry comes due (pitfall 6).
pub fn long_poll_wakes_on_retry_due(rules: Chosen) {
    let (mut world, queue) = world(bench_with(rules, 3));
    enqueue(&mut world, &queue, "a");
    let lease = poll(&mut world, &queue);
    world.advance_to(s(2));
    fail(&mut world, &lease, secs(30));
    world.advance_to(s(3));
    let (ticket, _) = world.start(&queue, "w", secs(60));
    assert_eq!(
        told(&world.advance_to(s(100))),
        [(s(32), ticket, task("a", 2))]
    );
}

/// With nothing to hand out, the end of the wait is `NoTask`: at that instant, and once (pitfall 6).
pub fn long_poll_times_out(rules: Chosen) {
    let (mut world, queue) = world(bench_with(rules, 3));
    let (ticket, _) = world.start(&queue, "w", secs(30));
    assert!(world.advance_to(Timestamp::from_millis(29_999)).is_empty());
    assert_eq!(told(&world.advance_to(s(30))), [(s(30), ticket, None)]);
    assert!(world.advance_to(s(1_000)).is_empty(), "it answers once");
}
