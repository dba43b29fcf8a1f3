//! What happened to people who run real queues, as small runs with the right answer: the reports that
//! concern the engine. Each test is named after its report.

use fencepost_core::bench::Bench;
use fencepost_core::call::Call::{DeadLetters, Depth, Poll};
use fencepost_core::log::Log;
use fencepost_core::rules::Chapter;
use fencepost_core::task::Task;
use fencepost_tests::{
    bench, call, check, check_table, complete, enqueue, enqueue_own, fail, heartbeat, id, redrive,
    s,
};

/// The records of one kind.
fn records(bench: &Bench<Chapter>, kind: &str) -> Vec<String> {
    let wanted = format!("{{\"kind\":\"{kind}\"");
    let lines = bench
        .queue
        .log()
        .entries()
        .iter()
        .map(|entry| entry.line.clone());
    lines.filter(|line| line.starts_with(&wanted)).collect()
}

/// NATS: a worker that takes ten tasks and works them off one by one holds leases that are long over.
#[test]
fn q01_a_lease_may_be_over_before_its_work_begins() {
    let mut bench = bench(3);
    for n in 1..=10 {
        call(&mut bench, s(0), enqueue(&format!("t{n}")));
        assert_eq!(
            call(&mut bench, s(0), Poll),
            format!("t{n}, attempt 1, token {n}, deadline 30")
        );
    }
    check_table(
        &mut bench,
        &[
            (28_000, complete("t1", 1), "ok, t1 leaves"),
            (28_000, check("t2", 2), "live"),
            (30_000, Poll, "t2, attempt 2, token 11, deadline 60"),
            (56_000, complete("t2", 2), "LeaseLost"),
            (56_000, check("t3", 3), "LeaseLost"),
        ],
    );
}

/// BullMQ: a worker that could not renew in time neither renews nor finishes later.
#[test]
fn q02_a_worker_that_slept_too_long_changes_nothing() {
    let mut bench = bench(3);
    check_table(
        &mut bench,
        &[
            (0, enqueue("a"), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 30"),
            (30_000, Poll, "a, attempt 2, token 2, deadline 60"),
            (41_000, heartbeat("a", 1, "p=90"), "LeaseLost"),
            (41_000, complete("a", 1), "LeaseLost"),
        ],
    );
    let task = bench.picture(s(41)).tasks[0].clone();
    assert_eq!(
        (
            task.details.as_str(),
            task.lease.map(|lease| lease.deadline)
        ),
        ("", Some(s(60)))
    );
    assert_eq!(call(&mut bench, s(45), complete("a", 2)), "ok, a leaves");
    assert_eq!(
        call(&mut bench, s(45), Depth),
        "0 visible, 0 delayed, 0 leased, 0 dead"
    );
    assert_eq!(records(&bench, "ack").len(), 1);
}

/// Pub/Sub: every heartbeat extends, not only the first.
#[test]
fn q03_every_heartbeat_extends() {
    let mut bench = bench(3);
    check_table(
        &mut bench,
        &[
            (0, enqueue_own("a", 10, 0), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 10"),
            (5_000, heartbeat("a", 1, ""), "ok, deadline 15"),
            (9_000, heartbeat("a", 1, ""), "ok, deadline 19"),
            (13_000, heartbeat("a", 1, ""), "ok, deadline 23"),
            (17_000, heartbeat("a", 1, ""), "ok, deadline 27"),
            (20_000, Poll, "NoTask"),
            (26_000, complete("a", 1), "ok, a leaves"),
            (26_900, Poll, "NoTask"),
            (27_000, enqueue_own("b", 10, 0), "added"),
            (27_000, Poll, "b, attempt 1, token 2, deadline 37"),
            (37_000, heartbeat("b", 2, ""), "LeaseLost"),
        ],
    );
    assert_eq!(records(&bench, "hb").len(), 4);
}

/// Solid Queue: who keeps beating while it drains ends once; who does not is replaced, and ends once too.
#[test]
fn q04_a_worker_beats_until_its_work_is_done() {
    let begin = [
        (0, enqueue("a"), "added"),
        (0, Poll, "a, attempt 1, token 1, deadline 30"),
        (10_000, heartbeat("a", 1, ""), "ok, deadline 40"),
    ];
    let (mut good, mut bad) = (bench(3), bench(3));
    check_table(&mut good, &begin);
    check_table(
        &mut good,
        &[
            (20_000, heartbeat("a", 1, ""), "ok, deadline 50"),
            (35_000, heartbeat("a", 1, ""), "ok, deadline 65"),
            (40_000, Poll, "NoTask"),
            (55_000, complete("a", 1), "ok, a leaves"),
        ],
    );
    check_table(&mut bad, &begin);
    check_table(
        &mut bad,
        &[
            (40_000, Poll, "a, attempt 2, token 2, deadline 70"),
            (55_000, complete("a", 1), "LeaseLost"),
            (56_000, complete("a", 2), "ok, a leaves"),
        ],
    );
}

/// NATS: a beat after the deadline is refused, whether anybody has noticed the expiry or not.
#[test]
fn q05_time_decides_an_expiry_and_nobody_has_to_notice() {
    let mut bench = bench(3);
    check_table(
        &mut bench,
        &[
            (0, enqueue("a"), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 30"),
            (30_000, heartbeat("a", 1, ""), "LeaseLost"),
            (30_000, Poll, "a, attempt 2, token 2, deadline 60"),
            (35_000, heartbeat("a", 1, ""), "LeaseLost"),
            (59_999, check("a", 2), "live"),
            (60_000, check("a", 2), "LeaseLost"),
        ],
    );
    assert!(records(&bench, "hb").is_empty());
}

/// NATS: a late acknowledgement does not remove what another worker has now.
#[test]
fn q07_a_late_acknowledgement_is_refused() {
    let mut bench = bench(3);
    check_table(
        &mut bench,
        &[
            (0, enqueue_own("a", 5, 0), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 5"),
            (5_000, Poll, "a, attempt 2, token 2, deadline 10"),
            (8_000, complete("a", 1), "LeaseLost"),
            (9_000, check("a", 2), "live"),
            (9_000, complete("a", 2), "ok, a leaves"),
        ],
    );
    let acks = records(&bench, "ack");
    assert!(
        matches!(&acks[..], [ack] if ack.contains("\"token\":2")),
        "{acks:?}"
    );
}

/// A Redis queue: an id that is enqueued again while its work runs is held, and free once it is done.
#[test]
fn q09_an_id_that_is_worked_on_is_not_enqueued_again() {
    let mut bench = bench(3);
    let name = bench.name.clone();
    let with = |payload: &str| Task {
        payload: payload.into(),
        ..Task::new(id("x"))
    };
    let queue = &mut bench.queue;
    queue.enqueue(s(0), &name, &with("p1")).unwrap();
    let first = queue.poll(s(0), &name, "w").unwrap();
    queue.enqueue(s(1), &name, &with("p2")).unwrap();
    queue.complete(s(2), &first.id()).unwrap();
    assert!(queue.poll(s(2), &name, "w").is_err());
    queue.enqueue(s(3), &name, &with("p2")).unwrap();
    let second = queue.poll(s(3), &name, "w").unwrap();
    assert_eq!(
        (&*first.task.payload, &*second.task.payload),
        (&b"p1"[..], &b"p2"[..])
    );
    assert_eq!((second.attempt.0, second.token.0), (1, 2));
}

/// EasyNetQ: an enqueue whose answer was lost is safe to repeat while the task is held.
#[test]
fn q11_an_enqueue_is_safe_to_repeat() {
    check_table(
        &mut bench(3),
        &[
            (0, enqueue("t7"), "added"),
            (1_000, enqueue("t7"), "already held, visible"),
            (1_000, Depth, "1 visible, 0 delayed, 0 leased, 0 dead"),
            (1_000, Poll, "t7, attempt 1, token 1, deadline 31"),
            (1_000, Poll, "NoTask"),
        ],
    );
}

/// Celery: a worker that dies leaves its task to the next, and max attempts bound the loop.
#[test]
fn q13_a_killed_workers_task_comes_back_so_often_and_no_more() {
    for max_attempts in 1..=5 {
        let mut bench = bench(max_attempts);
        call(&mut bench, s(0), enqueue("a"));
        for attempt in 1..=u64::from(max_attempts) {
            let (from, until) = (30 * (attempt - 1), 30 * attempt);
            let expected = format!("a, attempt {attempt}, token {attempt}, deadline {until}");
            assert_eq!(call(&mut bench, s(from), Poll), expected);
        }
        let end = 30 * u64::from(max_attempts);
        assert_eq!(call(&mut bench, s(end), Poll), "NoTask");
        assert!(call(&mut bench, s(end), DeadLetters).ends_with(&format!("at {end}")));
    }
}

/// GoAws: a limit of M is M deliveries.
#[test]
fn q14_a_limit_of_m_is_m_deliveries() {
    for max_attempts in 1..=5u64 {
        let mut bench = bench(max_attempts as u32);
        call(&mut bench, s(0), enqueue("a"));
        for now in 0..max_attempts {
            assert!(call(&mut bench, s(now), Poll).starts_with(&format!("a, attempt {}", now + 1)));
            let last = now + 1 == max_attempts;
            let failed = call(&mut bench, s(now), fail("a", now + 1, 0));
            assert_eq!(failed == "DeadLettered", last, "{failed}");
        }
        assert_eq!(call(&mut bench, s(max_attempts), Poll), "NoTask");
        let dead = call(&mut bench, s(max_attempts), DeadLetters);
        assert!(
            dead.starts_with(&format!("a, {max_attempts} attempt")),
            "{dead}"
        );
        assert!(
            dead.ends_with(&format!("at {}", max_attempts - 1)),
            "{dead}"
        );
    }
}

/// LocalStack: a dead letter is there from the deadline on, and nobody has to poll for it.
#[test]
fn q15_a_dead_letter_needs_no_poll() {
    check_table(
        &mut bench(3),
        &[
            (0, enqueue_own("a", 5, 1), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 5"),
            (4_999, DeadLetters, "no dead letters"),
            (4_999, Depth, "0 visible, 0 delayed, 1 leased, 0 dead"),
            (5_000, DeadLetters, "a, 1 attempt, at 5"),
            (5_000, Depth, "0 visible, 0 delayed, 0 leased, 1 dead"),
            (9_000, DeadLetters, "a, 1 attempt, at 5"),
        ],
    );
}

/// An emulator: a redriven task counts anew; one unknown id refuses the whole call.
#[test]
fn q17_a_redriven_task_can_be_worked() {
    check_table(
        &mut bench(1),
        &[
            (0, enqueue("a"), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 30"),
            (0, redrive(&["a"]), "NotFound"),
            (0, fail("a", 1, 0), "DeadLettered"),
            (10_000, redrive(&["a", "nope"]), "NotFound"),
            (10_000, Poll, "NoTask"),
            (10_000, redrive(&["a", "a"]), "1 redriven"),
            (10_000, Poll, "a, attempt 1, token 2, deadline 40"),
            (11_000, fail("a", 2, 0), "DeadLettered"),
            (12_000, redrive(&[]), "1 redriven"),
            (12_000, Poll, "a, attempt 1, token 3, deadline 42"),
            (42_000, DeadLetters, "a, 1 attempt, at 42"),
        ],
    );
}

/// asynq: an id that is dead stays held, and the answer says so.
#[test]
fn q20_a_dead_id_says_that_it_is_held() {
    check_table(
        &mut bench(1),
        &[
            (0, enqueue("daily"), "added"),
            (0, Poll, "daily, attempt 1, token 1, deadline 30"),
            (0, fail("daily", 1, 0), "DeadLettered"),
            (86_400_000, enqueue("daily"), "already held, dead"),
            (86_400_000, Poll, "NoTask"),
            (86_401_000, redrive(&["daily"]), "1 redriven"),
            (
                86_401_000,
                Poll,
                "daily, attempt 1, token 2, deadline 86431",
            ),
        ],
    );
}
