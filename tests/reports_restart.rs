//! What happened to people who run real queues: retries, order, waits, restarts, logs and ids. Each test is named after
//! its report.

use fencepost_core::call::Call;
use fencepost_core::call::Call::{Depth, Poll, Reopen};
use fencepost_core::log::{Entry, Log, MemoryLog};
use fencepost_core::queue::Queue;
use fencepost_core::rules::Chapter;
use fencepost_core::task::{Options, QueueName, Task, TaskId};
use fencepost_core::virtual_time::VirtualTime;
use fencepost_tests::{
    bench, call, check_table, complete, enqueue, enqueue_own, fail, heartbeat, id, s,
};
use std::time::Duration;

/// NATS: a failure's delay is kept to the millisecond, and three of them take their whole time.
#[test]
fn q21_a_retry_keeps_its_own_delay() {
    check_table(
        &mut bench(4),
        &[
            (0, enqueue("a"), "added"),
            (2_000, Poll, "a, attempt 1, token 1, deadline 32"),
            (2_000, fail("a", 1, 30), "Retrying, visible at 32"),
            (31_999, Poll, "NoTask"),
            (32_000, Poll, "a, attempt 2, token 2, deadline 62"),
            (32_000, fail("a", 2, 30), "Retrying, visible at 62"),
            (62_000, Poll, "a, attempt 3, token 3, deadline 92"),
            // A worker that dies waits for no delay but the deadline's.
            (92_000, Poll, "a, attempt 4, token 4, deadline 122"),
        ],
    );
}

/// litestar-queues: a retried task waits its turn behind what became visible before it.
#[test]
fn q22_a_retried_task_waits_its_turn() {
    check_table(
        &mut bench(3),
        &[
            (0, enqueue("a"), "added"),
            (0, enqueue("b"), "added"),
            (0, enqueue("c"), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 30"),
            (500, enqueue("d"), "added"),
            (1_000, fail("a", 1, 0), "Retrying, visible at 1"),
            (1_000, enqueue("e"), "added"),
            (1_000, Poll, "b, attempt 1, token 2, deadline 31"),
            (1_000, Poll, "c, attempt 1, token 3, deadline 31"),
            (1_000, Poll, "d, attempt 1, token 4, deadline 31"),
            (1_000, Poll, "a, attempt 2, token 5, deadline 31"),
            (1_000, Poll, "e, attempt 1, token 6, deadline 31"),
        ],
    );
}

/// beanstalkd: a restart takes no lease from a worker that still runs.
#[test]
fn q27_a_live_lease_survives_a_restart() {
    let begin = [
        (0, enqueue("a"), "added"),
        (0, Poll, "a, attempt 1, token 1, deadline 30"),
    ];
    let (mut soon, mut late) = (bench(3), bench(3));
    check_table(&mut soon, &begin);
    check_table(
        &mut soon,
        &[
            (10_000, Reopen, "open again"),
            (10_000, Poll, "NoTask"),
            (12_000, heartbeat("a", 1, ""), "ok, deadline 42"),
            (20_000, complete("a", 1), "ok, a leaves"),
        ],
    );
    check_table(&mut late, &begin);
    check_table(
        &mut late,
        &[
            (30_000, Reopen, "open again"),
            (30_000, Poll, "a, attempt 2, token 2, deadline 60"),
            (30_000, complete("a", 1), "LeaseLost"),
        ],
    );
}

/// LavinMQ: attempts and due times survive a restart, and ten restarts.
#[test]
fn q28_attempts_and_due_times_survive_restarts() {
    for restarts in [1, 10] {
        let mut bench = bench(3);
        check_table(
            &mut bench,
            &[
                (0, enqueue("a"), "added"),
                (0, Poll, "a, attempt 1, token 1, deadline 30"),
                (1_000, fail("a", 1, 0), "Retrying, visible at 1"),
                (2_000, Poll, "a, attempt 2, token 2, deadline 32"),
                (5_000, fail("a", 2, 60), "Retrying, visible at 65"),
            ],
        );
        for _ in 0..restarts {
            assert_eq!(call(&mut bench, s(20), Reopen), "open again");
        }
        check_table(
            &mut bench,
            &[
                (20_000, Poll, "NoTask"),
                (64_999, Poll, "NoTask"),
                (65_000, Poll, "a, attempt 3, token 3, deadline 95"),
                (66_000, fail("a", 3, 0), "DeadLettered"),
            ],
        );
    }
}

/// A log of JSON lines: a failed append leaves nothing behind, and a damaged line refuses to open, wherever
/// it is cut.
#[test]
fn q29_a_failed_append_leaves_nothing_and_a_cut_line_is_refused() {
    let mut bench = bench(3);
    check_table(
        &mut bench,
        &[
            (0, enqueue("a"), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 30"),
        ],
    );
    bench.queue.log_mut().set_refusing(true);
    assert!(call(&mut bench, s(1), enqueue("c")).contains("log full"));
    bench.queue.log_mut().set_refusing(false);
    assert_eq!(call(&mut bench, s(1), enqueue("d")), "added");
    assert_eq!(call(&mut bench, s(1), Reopen), "open again");
    assert_eq!(
        call(&mut bench, s(1), Depth),
        "1 visible, 0 delayed, 1 leased, 0 dead"
    );
    let whole = bench.queue.log().entries().to_vec();
    for (position, entry) in whole.iter().enumerate() {
        for cut in 0..entry.line.len() {
            let mut entries = whole.clone();
            entries[position] = Entry {
                line: entry.line[..cut].to_string(),
                ..entry.clone()
            };
            let log = MemoryLog::with_entries(entries);
            let error = Queue::open(log, Chapter, Options::default())
                .expect_err("cut")
                .to_string();
            assert!(error.starts_with(&format!("record {position} ")), "{error}");
        }
    }
}

/// beanstalkd: a task that is handed out and put back writes two records a round, and none is lost. (The log
/// grows with every round: it is not compacted yet.)
#[test]
fn q31_a_round_is_two_records() {
    const TASKS: usize = 20;
    const ROUNDS: usize = 100;
    let mut bench = bench(1_000_000);
    for task in 0..TASKS {
        call(&mut bench, s(0), enqueue(&format!("t{task}")));
    }
    for round in 0..ROUNDS {
        for task in 0..TASKS {
            let token = round * TASKS + task + 1;
            let leased = call(&mut bench, s(round as u64), Poll);
            assert!(
                leased.starts_with(&format!("t{task}, attempt {}", round + 1)),
                "{leased}"
            );
            call(
                &mut bench,
                s(round as u64),
                fail(&format!("t{task}"), token as u64, 1),
            );
        }
    }
    let end = s(ROUNDS as u64);
    assert_eq!(
        call(&mut bench, end, Depth),
        "20 visible, 0 delayed, 0 leased, 0 dead"
    );
    assert_eq!(
        bench.queue.log().entries().len(),
        TASKS + 2 * TASKS * ROUNDS
    );
    assert_eq!(call(&mut bench, end, Reopen), "open again");
    assert_eq!(
        call(&mut bench, end, Depth),
        "20 visible, 0 delayed, 0 leased, 0 dead"
    );
    assert!(call(&mut bench, end, Poll).starts_with("t0, attempt 101"));
}

/// Activepieces: a poll that waits costs a turn at its start, one a due time and one at its end.
#[test]
fn q24_an_idle_poll_does_not_spin() {
    let idle: [&[(u64, Call, &str)]; 3] = [
        &[],
        &[
            (0, enqueue("a"), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 30"),
        ],
        &[
            (0, enqueue_own("a", 0, 1), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 30"),
            (0, fail("a", 1, 0), "DeadLettered"),
        ],
    ];
    for (begin, wait, most) in [
        (idle[0], 40, 2),
        (idle[1], 20, 2),
        (idle[1], 30, 2),
        (idle[2], 40, 2),
    ] {
        let mut bench = bench(3);
        check_table(&mut bench, begin);
        let name = bench.name.clone();
        let mut world = VirtualTime::new(bench.queue);
        world.start(&name, "w", Duration::from_secs(wait));
        world.advance_to(s(wait));
        assert!(
            world.turns() <= most && world.lobby().is_empty(),
            "{} turns",
            world.turns()
        );
    }
}

/// DrQueue: tokens are never handed out again, over queues and restarts, even with no task left.
#[test]
fn q32_tokens_are_never_reused() {
    let mut bench = bench(3);
    check_table(
        &mut bench,
        &[
            (0, enqueue("a"), "added"),
            (0, enqueue("b"), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 30"),
            (0, Poll, "b, attempt 1, token 2, deadline 30"),
            (0, complete("a", 1), "ok, a leaves"),
            (0, complete("b", 2), "ok, b leaves"),
            (1_000, Reopen, "open again"),
            (1_000, enqueue("c"), "added"),
            (1_000, Poll, "c, attempt 1, token 3, deadline 31"),
            (1_000, complete("c", 1), "LeaseLost"),
        ],
    );
    let other = QueueName::new("other").unwrap();
    bench
        .queue
        .enqueue(s(1), &other, &Task::new(id("c")))
        .unwrap();
    assert_eq!(bench.queue.poll(s(1), &other, "w").unwrap().token.0, 4);
}

/// Beaneater and others: an id goes in and comes out as it is, through log and restart.
#[test]
fn q37_an_id_comes_back_as_it_went_in() {
    let longest = "x".repeat(TaskId::BYTES_MAX);
    for text in [
        "a b", "a\nDEQ", "a\r", "é", "a:b/c", "\0", "\"", "\u{2028}", &longest,
    ] {
        let mut bench = bench(3);
        call(&mut bench, s(0), enqueue(text));
        call(&mut bench, s(0), Reopen);
        assert_eq!(
            call(&mut bench, s(0), Poll),
            format!("{text}, attempt 1, token 1, deadline 30")
        );
        call(&mut bench, s(0), Reopen);
        assert_eq!(
            call(&mut bench, s(0), complete(text, 1)),
            format!("ok, {text} leaves")
        );
    }
    assert!(TaskId::new("").is_err() && TaskId::new(format!("{longest}x")).is_err());
}
