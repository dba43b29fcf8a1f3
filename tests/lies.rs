//! Answers no queue may give, as the oracle hears them, each with the property it breaks.
//!
//! It knows how to write an answer shortly. It deliberately judges nothing.

use fencepost_core::call::{Answer, Call, Outcome};
use fencepost_core::oracle::Property;
use fencepost_core::task::{Attempt, Lease, Options, Phase, QueueName, Task, Token};
use fencepost_core::time::Timestamp;
use fencepost_tests::{check, complete, drop_it, enqueue, fail, heartbeat, id, redrive, s};
use std::time::Duration;

pub(crate) fn queue() -> QueueName {
    QueueName::new("data").expect("a short name")
}

/// V = 30 s, M = 3.
pub(crate) const OPTIONS: Options = Options {
    visibility: Duration::from_secs(30),
    max_attempts: 3,
};

pub(crate) fn lease(task: &str, token: u64, attempt: u32, deadline: Timestamp) -> Lease {
    Lease {
        queue: queue(),
        task: OPTIONS.resolve(&Task::new(id(task))),
        token: Token(token),
        attempt: Attempt(attempt),
        deadline,
        details: Default::default(),
    }
}

pub(crate) fn handed(lease: Lease) -> (Call, Answer) {
    (Call::Poll, Answer::of_poll(Ok(lease)))
}

pub(crate) fn leased(task: &str, token: u64, attempt: u32, deadline: Timestamp) -> (Call, Answer) {
    handed(lease(task, token, attempt, deadline))
}

pub(crate) fn plain(call: Call, outcome: Outcome) -> (Call, Answer) {
    (call, Answer::plain(outcome))
}

pub(crate) fn done(task: &str, token: u64) -> (Call, Answer) {
    plain(complete(task, token), Outcome::Completed { task: id(task) })
}

pub(crate) fn added(task: &str) -> (Call, Answer) {
    plain(enqueue(task), Outcome::Added)
}

pub(crate) fn waits(secs: u64) -> (Call, Answer) {
    let wait = Duration::from_secs(secs);
    plain(Call::LongPoll { wait }, Outcome::Waiting)
}

/// A call with its answer, and when.
pub(crate) type Heard1 = (Timestamp, (Call, Answer));

/// One lie, the property it breaks, and what is said of it.
pub(crate) type Lie = (Vec<Heard1>, Property, &'static str);

pub(crate) fn lies_about_deliveries() -> Vec<Lie> {
    let with = |change: fn(&mut Lease)| {
        let mut lease = lease("a", 8, 2, s(60));
        change(&mut lease);
        vec![(s(30), handed(lease))]
    };
    vec![
        (
            vec![(s(29), leased("a", 8, 2, s(59)))],
            Property::OneLiveLease,
            "task a went out as token 8 at 29 s, token 7 ran until 30 s",
        ),
        (
            vec![(s(30), leased("a", 7, 2, s(60)))],
            Property::TokensRise,
            "token 7 of task a came after token 7",
        ),
        (
            vec![
                (
                    s(1),
                    plain(fail("a", 7, 5), Outcome::Retrying { visible_at: s(6) }),
                ),
                (s(5), leased("a", 8, 2, s(35))),
            ],
            Property::NothingEarly,
            "task a went out at 5 s, it was hidden until 6 s",
        ),
        (
            vec![(
                s(1),
                plain(fail("a", 7, 5), Outcome::Retrying { visible_at: s(1) }),
            )],
            Property::NothingEarly,
            "Fail(a, token 7, retry after 5 s) of attempt 1 at 1 s came to Retrying, visible at 1; it is Retrying, visible at 6",
        ),
        (
            vec![(s(1), leased("b", 8, 1, s(31)))],
            Property::NoGhost,
            "task b went out at 1 s, and the queue does not hold it",
        ),
        (
            vec![
                (s(1), added("b")),
                (s(1), added("c")),
                (s(1), leased("c", 8, 1, s(31))),
            ],
            Property::InOrder,
            "w got task c, visible since 1 s, before task b, visible since 1 s",
        ),
        (
            vec![(s(30), plain(Call::Poll, Outcome::NoTask))],
            Property::NothingHidden,
            "a poll found nothing at 30 s, task a is visible since 30 s",
        ),
        (
            with(|lease| lease.attempt = Attempt(3)),
            Property::AttemptsCount,
            "task a went out as attempt 3 of 3 after 1",
        ),
        (
            with(|lease| lease.deadline = s(59)),
            Property::LeaseForm,
            "task a is leased until 59 s, one timeout ends at 60 s",
        ),
        (
            with(|lease| lease.details = "half".into()),
            Property::DetailsKept,
            "task a went out with details \"half\", the last heartbeat left \"\"",
        ),
        (
            with(|lease| lease.task.payload = "x".into()),
            Property::Fidelity,
            "task a was enqueued as",
        ),
    ]
}

pub(crate) fn lies_about_acts() -> Vec<Lie> {
    vec![
        (
            vec![(s(30), done("a", 7))],
            Property::OneAcknowledgement,
            "task a was acknowledged at 30 s by token 7, which was over: it is visible since 30 s",
        ),
        (
            vec![(s(1), done("a", 7)), (s(1), done("a", 7))],
            Property::OneAcknowledgement,
            "task a was acknowledged at 1 s by token 7, and it is not held",
        ),
        (
            vec![
                (
                    s(1),
                    plain(fail("a", 7, 9), Outcome::Retrying { visible_at: s(10) }),
                ),
                (s(2), done("a", 7)),
            ],
            Property::OneAcknowledgement,
            "task a was acknowledged at 2 s by token 7, which had given it up",
        ),
        (
            vec![(s(30), plain(check("a", 7), Outcome::Live))],
            Property::Fenced,
            "task a was acted on at 30 s by token 7, which was over: it is visible since 30 s",
        ),
        (
            vec![(s(29), plain(check("a", 7), Outcome::LeaseLost))],
            Property::OwnerMayAct,
            "Check(a, token 7) was refused at 29 s, and its lease is live",
        ),
        (
            vec![(
                s(1),
                plain(enqueue("b"), Outcome::Refused("log full".into())),
            )],
            Property::OwnerMayAct,
            "Enqueue(b) at 1 s: refused: log full",
        ),
        (
            vec![(
                s(1),
                plain(heartbeat("a", 7, ""), Outcome::Extended { deadline: s(30) }),
            )],
            Property::LeaseForm,
            "a heartbeat at 1 s left task a leased until 30 s, one timeout ends at 31 s",
        ),
        (
            vec![(s(1), plain(fail("a", 7, 0), Outcome::DeadLettered))],
            Property::Disposition,
            "Fail(a, token 7, retry after 0 s) of attempt 1 at 1 s came to DeadLettered; it is Retrying, visible at 1",
        ),
        (
            vec![(
                s(1),
                plain(drop_it("a", 7), Outcome::Retrying { visible_at: s(1) }),
            )],
            Property::Disposition,
            "Fail(a, token 7, non-retryable) of attempt 1 at 1 s came to Retrying, visible at 1; it is Dropped",
        ),
    ]
}

pub(crate) fn lies_about_what_is_held() -> Vec<Lie> {
    let depth = |visible| {
        Outcome::Depth(fencepost_core::task::Depth {
            visible,
            ..Default::default()
        })
    };
    vec![
        (
            vec![(s(1), added("a"))],
            Property::EnqueueOnce,
            "task a was added again while it was leased",
        ),
        (
            vec![(s(1), plain(enqueue("b"), Outcome::AlreadyHeld(Phase::Dead)))],
            Property::NoGhost,
            "task b is said to be dead, and it is not held",
        ),
        (
            vec![(s(1), plain(enqueue("a"), Outcome::AlreadyHeld(Phase::Dead)))],
            Property::NothingLost,
            "task a is said to be dead, it is leased",
        ),
        (
            vec![(s(1), plain(Call::Depth, depth(1)))],
            Property::NothingLost,
            "at 1 s the depth is 1 visible, 0 delayed, 0 leased, 0 dead; it should be 0 visible, 0 delayed, 1 leased, 0 dead",
        ),
        (
            vec![(s(1), plain(redrive(&["a"]), Outcome::Redriven(1)))],
            Property::RedriveWhole,
            "Redrive(a) at 1 s came to 1 redriven; it is NotFound",
        ),
        (
            vec![(
                s(1),
                plain(Call::Reopen, Outcome::Refused("record 3".into())),
            )],
            Property::LogReplays,
            "record 3",
        ),
    ]
}
