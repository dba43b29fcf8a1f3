//! The log: what it holds rebuilds the queue, and a log that fails changes nothing.

use fencepost_core::bench::Bench;
use fencepost_core::call::Call::{self, DeadLetters, Poll, Reopen};
use fencepost_core::log::{Entry, Log, MemoryLog};
use fencepost_core::queue::Queue;
use fencepost_core::rules::Chapter;
use fencepost_core::task::{Options, Task};
use fencepost_core::time::Timestamp;
use fencepost_tests::{
    bench, call, check_table, complete, enqueue, fail, heartbeat, id, redrive, s,
};

/// Visible, delayed, leased and dead tasks at once, with a used token that has left.
fn everything() -> Bench<Chapter> {
    let mut bench = bench(2);
    check_table(
        &mut bench,
        &[
            (0, enqueue("dead"), "added"),
            (0, Poll, "dead, attempt 1, token 1, deadline 30"),
            (1_000, fail("dead", 1, 0), "Retrying, visible at 1"),
            (1_000, Poll, "dead, attempt 2, token 2, deadline 31"),
            (1_000, fail("dead", 2, 0), "DeadLettered"),
            (1_000, enqueue("delayed"), "added"),
            (1_000, Poll, "delayed, attempt 1, token 3, deadline 31"),
            (2_000, fail("delayed", 3, 60), "Retrying, visible at 62"),
            (2_000, enqueue("leased"), "added"),
            (2_000, Poll, "leased, attempt 1, token 4, deadline 32"),
            (3_000, heartbeat("leased", 4, "half"), "ok, deadline 33"),
            (3_000, enqueue("done"), "added"),
            (3_000, Poll, "done, attempt 1, token 5, deadline 33"),
            (3_000, complete("done", 5), "ok, done leaves"),
            (3_000, enqueue("visible"), "added"),
        ],
    );
    bench
}

#[test]
fn recovery_from_log() {
    let mut bench = everything();
    check_table(
        &mut bench,
        &[
            (4_000, Call::Depth, "1 visible, 1 delayed, 1 leased, 1 dead"),
            (4_000, Reopen, "open again"),
            (4_000, Call::Depth, "1 visible, 1 delayed, 1 leased, 1 dead"),
            (4_000, DeadLetters, "dead, 2 attempts, at 1"),
            (5_000, heartbeat("leased", 4, ""), "ok, deadline 35"),
            (5_000, Poll, "visible, attempt 1, token 6, deadline 35"),
            (35_000, Poll, "leased, attempt 2, token 7, deadline 65"),
            (62_000, Poll, "visible, attempt 2, token 8, deadline 92"),
            (62_000, Poll, "delayed, attempt 2, token 9, deadline 92"),
        ],
    );
}

/// At every length of the log, what it rebuilds is what the queue was when the log had that length.
#[test]
fn every_prefix_of_the_log_rebuilds_the_queue_of_its_time() {
    let calls = [
        (0, enqueue("a")),
        (0, Poll),
        (1, heartbeat("a", 1, "x")),
        (2, fail("a", 1, 3)),
        (5, Poll),
        (6, fail("a", 2, 0)),
        (7, redrive(&["a"])),
        (8, Poll),
        (9, complete("a", 3)),
        (9, enqueue("a")),
    ];
    let mut bench = bench(2);
    for (secs, step) in calls {
        call(&mut bench, s(secs), step.clone());
        for later in [s(secs), s(secs + 30), s(10_000)] {
            let name = bench.name.clone();
            let mut reopened = bench.recovered().expect("a log that the queue wrote opens");
            let rebuilt = reopened.picture(later, &name);
            assert_eq!(
                rebuilt,
                bench.clone().queue.picture(later, &name),
                "after {step} at {secs} s, seen at {later} s"
            );
        }
    }
    assert_eq!(bench.queue.log().entries().len(), 10);
}

#[test]
fn opening_twice_is_opening_once_and_writes_nothing() {
    let bench = everything();
    let once = bench.recovered().expect("it opens");
    assert_eq!(once.log().entries(), bench.queue.log().entries());
    let name = bench.name.clone();
    let options = Options {
        max_attempts: 99,
        ..Options::default()
    };
    let mut twice = Queue::open(once.log().clone(), Chapter, options).expect("it opens again");
    assert_eq!(
        twice.picture(s(4), &name),
        once.clone().picture(s(4), &name),
        "and no default of today matters"
    );
}

/// Every call that writes, refused by the log: the answer is the error and every look is as before.
#[test]
fn log_failure_changes_nothing() {
    let writes = [
        enqueue("new"),
        Poll,
        heartbeat("leased", 4, "more"),
        complete("leased", 4),
        fail("leased", 4, 1),
        redrive(&["dead"]),
        redrive(&[]),
    ];
    for refused in writes {
        let mut bench = everything();
        let name = bench.name.clone();
        let before = (
            bench.queue.picture(s(4), &name),
            bench.queue.log().entries().to_vec(),
        );
        bench.queue.log_mut().set_refusing(true);
        let answer = call(&mut bench, s(4), refused.clone());
        assert!(
            answer.contains("log full") && answer.contains("nothing changed"),
            "{refused}: {answer}"
        );
        bench.queue.log_mut().set_refusing(false);
        let after = (
            bench.queue.picture(s(4), &name),
            bench.queue.log().entries().to_vec(),
        );
        assert_eq!(after, before, "{refused}");
        assert_eq!(
            call(&mut bench, s(4), Poll),
            "visible, attempt 1, token 6, deadline 34",
            "{refused}"
        );
    }
}

/// What refuses by itself, or reads, or expires, writes nothing.
#[test]
fn only_transitions_are_written() {
    let mut bench = everything();
    let written = bench.queue.log().entries().len();
    for quiet in [
        enqueue("leased"),
        complete("leased", 3),
        redrive(&["leased"]),
        DeadLetters,
        Call::Depth,
    ] {
        call(&mut bench, s(4), quiet.clone());
        assert_eq!(bench.queue.log().entries().len(), written, "{quiet}");
    }
    call(&mut bench, s(33), Call::Depth);
    assert_eq!(bench.queue.log().entries().len(), written, "an expiry");
}

#[test]
fn a_line_that_is_no_record_is_refused_with_its_position() {
    let whole = everything().queue.log().entries().to_vec();
    let damaged = |position: usize, entry: Entry| {
        let mut entries = whole.clone();
        entries[position] = entry;
        Queue::open(
            MemoryLog::with_entries(entries),
            Chapter,
            Options::default(),
        )
        .expect_err("damaged")
        .to_string()
    };
    let entry = |stream: &str, line: &str| Entry {
        stream: stream.into(),
        line: line.into(),
    };
    let cases = [
        (
            3,
            entry("queue/data", "{\"kind\":\"ack\",\"task\":\"a\",\"tok"),
        ),
        (4, entry("queue/data", "{\"kind\":\"expire\",\"at\":1}")),
        (5, entry("elsewhere", &whole[5].line)),
    ];
    for (position, bad) in cases {
        let error = damaged(position, bad);
        assert!(error.contains(&format!("record {position} ")), "{error}");
    }
}

/// An acknowledged id is free; its old token means nothing to the new task.
#[test]
fn a_new_task_of_an_old_id_is_another_task() {
    let mut bench = bench(3);
    let name = bench.name.clone();
    let queue = &mut bench.queue;
    queue
        .enqueue(
            s(0),
            &name,
            &Task {
                payload: "one".into(),
                ..Task::new(id("a"))
            },
        )
        .unwrap();
    let old = queue.poll(s(0), &name, "w").unwrap();
    queue.complete(s(0), &old.id()).unwrap();
    queue
        .enqueue(
            Timestamp::ZERO,
            &name,
            &Task {
                payload: "two".into(),
                ..Task::new(id("a"))
            },
        )
        .unwrap();
    assert!(queue.complete(s(0), &old.id()).is_err());
    assert_eq!(
        queue.poll(s(0), &name, "w").unwrap().task.payload,
        "two".into()
    );
}
