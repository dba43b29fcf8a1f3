//! The long poll in virtual time: it wakes at the instant it should, in order, and never spins.

use fencepost_core::bugs::CHAPTER;
use fencepost_core::bytes::Bytes;
use fencepost_core::refusal::Refusal;
use fencepost_core::rules::Rules;
use fencepost_core::task::{QueueName, Task};
use fencepost_core::time::Timestamp;
use fencepost_core::virtual_time::ServedAt;
use fencepost_core::wake::Why;
use fencepost_tests::waiting::{enqueue, fail, poll, secs, task, told, world};
use fencepost_tests::{bench, bench_with, chapter, id, s};
use std::time::Duration;

#[test]
fn long_poll_wakes_on_enqueue() {
    chapter::long_poll_wakes_on_enqueue(CHAPTER);
}

#[test]
fn long_poll_wakes_on_retry_due() {
    chapter::long_poll_wakes_on_retry_due(CHAPTER);
}

#[test]
fn long_poll_times_out() {
    chapter::long_poll_times_out(CHAPTER);
}

#[test]
fn a_wait_of_zero_answers_at_once() {
    let (mut world, queue) = world(bench(3));
    let (ticket, served) = world.start(&queue, "w", Duration::ZERO);
    assert_eq!(told(&served), [(s(0), ticket, None)]);
}

#[test]
fn it_wakes_when_a_lease_is_over() {
    let (mut world, queue) = world(bench(3));
    enqueue(&mut world, &queue, "a");
    poll(&mut world, &queue);
    let (ticket, _) = world.start(&queue, "w", secs(60));
    assert_eq!(
        told(&world.advance_to(s(60))),
        [(s(30), ticket, task("a", 2))]
    );
}

/// A heartbeat moves the deadline, and with it the instant at which a waiting poll wakes.
#[test]
fn a_moved_deadline_moves_the_wake() {
    let (mut world, queue) = world(bench(3));
    enqueue(&mut world, &queue, "a");
    let lease = poll(&mut world, &queue);
    let (ticket, _) = world.start(&queue, "w", secs(60));
    world.advance_to(s(20));
    world
        .call(|it, now| it.heartbeat(now, &lease, &Bytes::NONE))
        .0
        .expect("live");
    assert_eq!(
        told(&world.advance_to(s(60))),
        [(s(50), ticket, task("a", 2))]
    );
}

#[test]
fn it_wakes_on_a_redrive_and_on_a_retry_at_once() {
    let (mut world, queue) = world(bench(2));
    enqueue(&mut world, &queue, "a");
    let lease = poll(&mut world, &queue);
    let (first, _) = world.start(&queue, "w", secs(60));
    let served = fail(&mut world, &lease, Duration::ZERO);
    assert_eq!(told(&served), [(s(0), first, task("a", 2))]);
    let lease = served[0].served.answer.as_ref().expect("a lease").id();
    let (second, _) = world.start(&queue, "w", secs(60));
    assert!(fail(&mut world, &lease, Duration::ZERO).is_empty(), "dead");
    let (moved, served) = world.call(|it, now| it.redrive(now, &queue, &[]));
    assert_eq!(
        (moved, told(&served)),
        (Ok(1), vec![(s(0), second, task("a", 1))])
    );
}

/// Two tasks, three waiters: the first two are served in the order in which they began to wait.
#[test]
fn waiting_polls_are_served_in_order() {
    let (mut world, queue) = world(bench(3));
    let tickets = [(); 3].map(|()| world.start(&queue, "w", secs(30)).0);
    assert_eq!(
        told(&enqueue(&mut world, &queue, "a")),
        [(s(0), tickets[0], task("a", 1))]
    );
    assert_eq!(
        told(&enqueue(&mut world, &queue, "b")),
        [(s(0), tickets[1], task("b", 1))]
    );
    assert_eq!(
        told(&world.advance_to(s(30))),
        [(s(30), tickets[2], task("a", 2))]
    );
}

#[test]
fn a_cancelled_poll_leaves_nothing_behind() {
    let (mut world, queue) = world(bench(3));
    let (gone, _) = world.start(&queue, "w", secs(30));
    let (stays, _) = world.start(&queue, "w", secs(30));
    assert!(world.cancel(&queue, gone));
    assert!(!world.cancel(&queue, gone), "once");
    assert_eq!(
        told(&enqueue(&mut world, &queue, "a")),
        [(s(0), stays, task("a", 1))]
    );
    assert!(!world.cancel(&queue, stays), "it had its answer");
    assert!(world.lobby().is_empty());
    assert!(world.advance_to(s(29)).is_empty());
}

/// Queues do not wake each other's polls.
#[test]
fn a_poll_waits_for_its_own_queue() {
    let (mut world, queue) = world(bench(3));
    let other = QueueName::new("other").unwrap();
    let (ticket, _) = world.start(&queue, "w", secs(10));
    assert!(enqueue(&mut world, &other, "a").is_empty());
    assert_eq!(told(&world.advance_to(s(10))), [(s(10), ticket, None)]);
}

/// No spin: the lobby is turned once a change, once a due time and once an end, and stands still else.
#[test]
fn waiting_costs_a_turn_a_change_and_a_turn_a_due_time() {
    let (mut world, queue) = world(bench(1));
    enqueue(&mut world, &queue, "a");
    poll(&mut world, &queue);
    let before = world.turns();
    world.start(&queue, "w", secs(40));
    world.advance_to(s(30));
    assert_eq!(
        world.turns() - before,
        2,
        "the start and the deadline at 30 s, where the task dies"
    );
    world.advance_to(s(40));
    assert_eq!(world.turns() - before, 3, "and the end of the wait");
    world.advance_to(s(41));
    assert_eq!(world.turns() - before, 3, "nobody waits, so nobody looks");
}

/// A thousand wait and one task comes: one is served, by one turn.
#[test]
fn one_enqueue_serves_one_of_a_thousand() {
    let (mut world, queue) = world(bench(3));
    let first = world.start(&queue, "w", secs(30)).0;
    for _ in 1..1_000 {
        world.start(&queue, "w", secs(30));
    }
    let before = world.turns();
    assert_eq!(
        told(&enqueue(&mut world, &queue, "a")),
        [(s(0), first, task("a", 1))]
    );
    assert_eq!((world.turns() - before, world.lobby().len()), (1, 999));
}

/// The end of a wait and a due time at one instant: the task is handed out, not refused.
#[test]
fn a_task_that_comes_due_at_the_end_of_the_wait_is_handed_out() {
    let (mut world, queue) = world(bench(3));
    enqueue(&mut world, &queue, "a");
    poll(&mut world, &queue);
    let (ticket, _) = world.start(&queue, "w", secs(30));
    assert_eq!(
        told(&world.advance_to(s(30))),
        [(s(30), ticket, task("a", 2))]
    );
}

/// A waiting poll that the log refuses is told so, once, and the next one waits on.
#[test]
fn a_log_that_fails_ends_the_wait_with_its_error() {
    let (mut world, queue) = world(bench(3));
    let (ticket, _) = world.start(&queue, "w", secs(30));
    let added = Task::new(id("a"));
    let (_, served) = world.call(|it, now| {
        it.enqueue(now, &queue, &added).expect("taken");
        it.log_mut().set_refusing(true);
    });
    assert!(world.lobby().is_empty());
    assert!(matches!(&served[..], [ServedAt { served, .. }]
        if served.ticket == ticket && matches!(served.answer, Err(Refusal::Log(_)))));
}

macro_rules! changed_rule {
    ($name:ident, $($rule:tt)*) => {
        #[derive(Clone)]
        struct $name;
        impl Rules for $name { $($rule)* }
    };
}

changed_rule!(
    DeafToChanges,
    fn wakes_on_change(&self) -> bool {
        false
    }
);
changed_rule!(
    DeafToRetries,
    fn wakes_for(&self, why: Why) -> bool {
        why != Why::RetryDue
    }
);
changed_rule!(
    Spins,
    fn wait_is_over(&self, now: Timestamp, ends_at: Timestamp) -> bool {
        now > ends_at
    }
);

/// What each sentence is for: without it the poll sleeps too long, or turns in place.
#[test]
fn without_its_sentence_a_long_poll_is_late_or_spins() {
    let (mut deaf, queue) = world(bench_with(DeafToChanges, 3));
    deaf.start(&queue, "w", secs(30));
    assert!(enqueue(&mut deaf, &queue, "a").is_empty());

    let (mut late, queue) = world(bench_with(DeafToRetries, 3));
    enqueue(&mut late, &queue, "a");
    let lease = poll(&mut late, &queue);
    fail(&mut late, &lease, secs(5));
    late.start(&queue, "w", secs(20));
    assert_eq!(told(&late.advance_to(s(20)))[0].0, s(20), "15 s late");

    let (mut spins, queue) = world(bench_with(Spins, 3));
    spins.start(&queue, "w", secs(1));
    spins.advance_to(s(2));
    assert!(spins.turns() > 50, "{} turns", spins.turns());
}
