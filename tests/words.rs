//! What a reader is told: every kind of call and answer in a table's words, its headline, and its reason.

use fencepost_core::call::Call;
use fencepost_core::refusal::{LogError, Lost, Refusal};
use fencepost_core::rules::Chapter;
use fencepost_core::run::Run;
use fencepost_core::task::{Phase, QueueName, TaskId, Token};
use fencepost_core::wake::{Wake, Why};
use fencepost_tests::{
    check, complete, drop_it, enqueue, fail, heartbeat, id, redrive, s, scenario,
};

/// at (s) | call | result | headline | a part of the reason
const TOLD: &str = "
0  | Enqueue(a)                        | added                              | Enqueued           | visible from now on
0  | Enqueue(a)                        | already held, visible              | Already held       | left as it is
0  | Poll                              | a, attempt 1, token 1, deadline 30 | Leased             | first in line, visible since 0 s
0  | Check(a, token 1)                 | live                               | Live               | its deadline is ahead
0  | Redrive                           | 0 redriven                         | Nothing to redrive | no dead letters
0  | Redrive(a)                        | NotFound                           | Refused            | list its dead letters first
10 | Heartbeat(a, token 1)             | ok, deadline 40                    | Extended           | from 30 s to 40 s
40 | Complete(a, token 1)              | LeaseLost                          | Fenced             | Token 1 was over at 40 s
40 | Poll                              | a, attempt 2, token 2, deadline 70 | Leased             | its worker is presumed dead
41 | Fail(a, token 2, retry after 5 s) | Retrying, visible at 46            | Retrying           | Attempt 2 of 3 failed
41 | Check(a, token 2)                 | LeaseLost                          | Fenced             | was given up before; task a is delayed
41 | Poll                              | NoTask                             | Nothing visible    | hidden until its retry at 46 s
46 | Poll                              | a, attempt 3, token 3, deadline 76 | Leased             | The retry of task a came due at 46 s
46 | Poll                              | NoTask                             | Nothing visible    | Task a is leased to w until 76 s
47 | Fail(a, token 3, retry after 0 s) | DeadLettered                       | Dead letter        | parked until an operator redrives it
47 | Poll                              | NoTask                             | Nothing visible    | Task a is a dead letter since 47 s
47 | DLQ                               | a, 3 attempts, at 47               | Dead letters       | delivered 3 times and died at 47 s
47 | Redrive(a)                        | 1 redriven                         | Redriven           | count from 1 again
48 | Crash, then Open                  | open again                         | Open again         | rebuilt from the log
48 | Poll                              | a, attempt 1, token 4, deadline 78 | Leased             | Token 4 owns task a until 78 s
48 | Fail(a, token 4, non-retryable)   | Dropped                            | Dropped            | leaves now
48 | Complete(a, token 4)              | LeaseLost                          | Fenced             | does not hold task a
48 | DLQ                               | no dead letters                    | Dead letters       | 0 dead letters
48 | Depth                             | 0 visible, 0 delayed, 0 leased, 0 dead | Depth          | Counted by phase
48 | Poll                              | NoTask                             | Nothing visible    | The queue holds no task
";

#[test]
fn every_call_and_answer_has_its_words() {
    let calls = vec![
        (s(0), enqueue("a")),
        (s(0), enqueue("a")),
        (s(0), Call::Poll),
        (s(0), check("a", 1)),
        (s(0), redrive(&[])),
        (s(0), redrive(&["a"])),
        (s(10), heartbeat("a", 1, "half")),
        (s(40), complete("a", 1)),
        (s(40), Call::Poll),
        (s(41), fail("a", 2, 5)),
        (s(41), check("a", 2)),
        (s(41), Call::Poll),
        (s(46), Call::Poll),
        (s(46), Call::Poll),
        (s(47), fail("a", 3, 0)),
        (s(47), Call::Poll),
        (s(47), Call::DeadLetters),
        (s(47), redrive(&["a"])),
        (s(48), Call::Reopen),
        (s(48), Call::Poll),
        (s(48), drop_it("a", 4)),
        (s(48), complete("a", 4)),
        (s(48), Call::DeadLetters),
        (s(48), Call::Depth),
        (s(48), Call::Poll),
    ];
    let mut run = Run::with_rules(scenario(calls), Chapter);
    let rows = run.about().rows;
    let told: Vec<&str> = TOLD.trim().lines().collect();
    assert_eq!(told.len(), rows.len());
    for (index, (line, row)) in told.iter().zip(rows).enumerate() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [sentence] = &run.seek(index + 1).sentences[..] else {
            panic!("one call a row")
        };
        let at = row.at.to_string();
        let shown = [at.as_str(), &row.call, &row.result, &sentence.headline];
        assert_eq!(shown, cells[..4], "row {}", index + 1);
        assert!(
            sentence.why.contains(cells[4]),
            "row {}: {:?} does not say {:?}",
            index + 1,
            sentence.why,
            cells[4]
        );
        assert_eq!(
            sentence.said,
            format!("At {} s w calls {}", row.at, row.call)
        );
        assert_eq!(
            (sentence.answer.as_str(), sentence.refused),
            (cells[2], row.refused)
        );
    }
    assert!(
        run.seek(run.rows())
            .lights
            .iter()
            .all(|light| light.broken.is_none())
    );
}

#[test]
fn many_hidden_tasks_are_counted_after_three() {
    let mut calls: Vec<_> = (0..5).map(|n| (s(0), enqueue(&format!("t{n}")))).collect();
    calls.extend((0..6).map(|_| (s(0), Call::Poll)));
    let mut run = Run::with_rules(scenario(calls), Chapter);
    let why = run.seek(run.rows()).sentences[0].why.clone();
    assert!(
        why.contains("Task t2 is leased")
            && !why.contains("t3")
            && why.ends_with("2 more are hidden too."),
        "{why}"
    );
}

/// Every refusal names the rule, the value and the way out.
#[test]
fn every_refusal_has_its_text() {
    let (queue, task) = (QueueName::new("data").unwrap(), id("a"));
    let lost = |why| Refusal::LeaseLost {
        task: id("a"),
        token: Token(3),
        why,
    };
    let wake = |why| {
        Some(Wake {
            at: s(30),
            why,
            task: id("a"),
        })
    };
    let texts = [
        (
            Refusal::NoTask { ask_again: None },
            "no task: nothing is visible, and only an enqueue or a redrive can change that",
        ),
        (
            Refusal::NoTask {
                ask_again: wake(Why::LeaseOver),
            },
            "no task: nothing is visible; ask again at 30 s, the lease of a is over",
        ),
        (
            Refusal::NoTask {
                ask_again: wake(Why::RetryDue),
            },
            "no task: nothing is visible; ask again at 30 s, the retry of a comes due",
        ),
        (
            lost(Lost::Over { deadline: s(30) }),
            "lease lost: token 3 of task \"a\" was over at its deadline, 30 s; poll for a new lease",
        ),
        (
            lost(Lost::Replaced {
                by: Token(4),
                at: s(45),
            }),
            "lease lost: token 3 of task \"a\" was replaced by token 4 at 45 s; poll for a new lease",
        ),
        (
            lost(Lost::GivenUp {
                phase: Phase::Delayed,
            }),
            "lease lost: token 3 of task \"a\" was given up, the task is delayed; poll for a new lease",
        ),
        (
            lost(Lost::Gone),
            "lease lost: token 3 of task \"a\" is for a task the queue does not hold; poll for a new lease",
        ),
        (
            Refusal::NotFound { queue, task },
            "not found: queue \"data\" has no dead letter \"a\"; list its dead letters first",
        ),
        (
            Refusal::AlreadyHeld { phase: Phase::Dead },
            "already held: the task is dead",
        ),
        (
            Refusal::BadName(TaskId::new("").unwrap_err()),
            "a task id has 1 to 256 bytes, this one has 0: choose another",
        ),
        (
            Refusal::TooLarge {
                what: "a payload",
                bytes: 9,
                bytes_max: 8,
            },
            "too large: a payload is at most 8 bytes, this is 9; send less",
        ),
        (
            Refusal::Log(LogError::Full { records: 7 }),
            "log full: it holds 7 records and takes no more; nothing changed, make room and call again",
        ),
        (
            Refusal::Log(LogError::Failed {
                reason: "no disk".into(),
            }),
            "log failed: no disk; nothing changed, call again once it works",
        ),
    ];
    for (refusal, text) in texts {
        assert_eq!(refusal.to_string(), text);
    }
}
