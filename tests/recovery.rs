//! The log: what it holds rebuilds the queue, and a log that fails changes nothing.

use fencepost_core::bugs::CHAPTER;
use fencepost_core::call::Call::{self, DeadLetters, Poll};
use fencepost_core::log::{Entry, Log, MemoryLog};
use fencepost_core::queue::Queue;
use fencepost_core::rules::Chapter;
use fencepost_core::task::{Options, Task};
use fencepost_core::time::Timestamp;
use fencepost_tests::chapter::{self, everything};
use fencepost_tests::{bench, call, complete, enqueue, fail, heartbeat, id, redrive, s};

#[test]
fn recovery_from_log() {
    chapter::recovery_from_log(CHAPTER);
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
    let bench = everything(CHAPTER);
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

#[test]
fn log_failure_changes_nothing() {
    chapter::log_failure_changes_nothing(CHAPTER);
}

/// What refuses by itself, or reads, or expires, writes nothing.
#[test]
fn only_transitions_are_written() {
    let mut bench = everything(CHAPTER);
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
    let whole = everything(CHAPTER).queue.log().entries().to_vec();
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
