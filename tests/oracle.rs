//! The oracle, told lies: each property that must always hold is broken by an answer no queue may give.

use fencepost_core::call::{Call, Outcome};
use fencepost_core::oracle::{Oracle, PROPERTIES, Property};
use fencepost_core::task::{Attempt, Token};
use fencepost_core::time::Timestamp;
use fencepost_tests::{complete, drop_it, enqueue, fail, heartbeat, id, s};

fn leased(task: &str, token: u64, deadline: Timestamp) -> (Call, Outcome) {
    (
        Call::Poll,
        Outcome::Leased {
            task: id(task),
            attempt: Attempt(1),
            token: Token(token),
            deadline,
        },
    )
}

fn done(task: &str, token: u64) -> (Call, Outcome) {
    (complete(task, token), Outcome::Completed { task: id(task) })
}

fn added(task: &str) -> (Call, Outcome) {
    (enqueue(task), Outcome::Added)
}

/// A call with its answer, and when.
type Heard = (Timestamp, (Call, Outcome));

/// The properties that are broken, and what the first of them says.
fn judge(answers: &[Heard]) -> (Vec<Property>, String) {
    let mut oracle = Oracle::default();
    for (step, (now, (call, outcome))) in answers.iter().enumerate() {
        oracle.listen(step, *now, call, outcome);
    }
    let broken: Vec<_> = PROPERTIES
        .into_iter()
        .filter(|property| oracle.broken(*property).is_some())
        .collect();
    let what = broken
        .first()
        .and_then(|property| oracle.broken(*property))
        .map(|broken| broken.what.clone());
    (broken, what.unwrap_or_default())
}

#[test]
fn what_the_chapter_allows_breaks_nothing() {
    let honest = [
        (s(0), added("a")),
        (s(0), leased("a", 1, s(30))),
        (
            s(10),
            (heartbeat("a", 1, ""), Outcome::Extended { deadline: s(40) }),
        ),
        (s(40), leased("a", 2, s(70))),
        (
            s(41),
            (fail("a", 2, 5), Outcome::Retrying { visible_at: s(46) }),
        ),
        (s(46), leased("a", 3, s(76))),
        (s(47), (fail("a", 3, 0), Outcome::DeadLettered)),
        (
            s(50),
            (Call::Redrive { tasks: vec![] }, Outcome::Redriven(1)),
        ),
        (s(50), leased("a", 4, s(80))),
        (s(79), done("a", 4)),
        (s(79), added("a")),
        (s(79), leased("a", 5, s(109))),
        (s(80), (drop_it("a", 5), Outcome::Dropped)),
    ];
    assert_eq!(judge(&honest), (vec![], String::new()));
}

#[test]
fn each_lie_is_found_and_told_with_its_ids() {
    let begin = [(s(0), added("a")), (s(0), leased("a", 7, s(30)))];
    let lies: [(&[Heard], Property, &str); 8] = [
        (
            &[(s(29), leased("a", 8, s(59)))],
            Property::OneLiveLease,
            "task a went out as token 8 at 29 s, token 7 ran until 30 s",
        ),
        (
            &[(s(30), leased("a", 7, s(60)))],
            Property::TokensRise,
            "token 7 of task a came after token 7",
        ),
        (
            &[
                (
                    s(1),
                    (fail("a", 7, 5), Outcome::Retrying { visible_at: s(1) }),
                ),
                (s(5), leased("a", 8, s(35))),
            ],
            Property::NothingEarly,
            "task a went out at 5 s, it was hidden until 6 s",
        ),
        (
            &[(s(1), leased("b", 8, s(31)))],
            Property::NothingEarly,
            "task b went out at 1 s, and the queue does not hold it",
        ),
        (
            &[(s(30), done("a", 7))],
            Property::OneAcknowledgement,
            "task a was acknowledged at 30 s, its lease was over at 30 s",
        ),
        (
            &[(s(1), done("a", 6))],
            Property::OneAcknowledgement,
            "task a was acknowledged by token 6, its newest was 7",
        ),
        (
            &[(s(1), done("a", 7)), (s(1), done("a", 7))],
            Property::OneAcknowledgement,
            "task a was acknowledged by token 7 without a lease",
        ),
        (
            &[
                (s(1), (fail("a", 7, 0), Outcome::DeadLettered)),
                (s(2), done("a", 7)),
            ],
            Property::OneAcknowledgement,
            "task a was acknowledged by token 7 without a lease",
        ),
    ];
    for (lie, property, words) in lies {
        let told = judge(&[&begin, lie].concat());
        assert_eq!(told, (vec![property], words.to_string()));
    }
}

#[test]
fn a_log_that_rebuilds_something_else_is_found_once() {
    let mut oracle = Oracle::default();
    oracle.replayed(3, None);
    assert_eq!(oracle.broken(Property::LogReplays), None);
    oracle.replayed(4, Some("one task more".into()));
    oracle.replayed(5, Some("two tasks more".into()));
    let broken = oracle.broken(Property::LogReplays).expect("it was told");
    assert_eq!((broken.step, broken.what.as_str()), (4, "one task more"));
    assert!(
        PROPERTIES
            .iter()
            .all(|property| !property.name().is_empty())
    );
}
