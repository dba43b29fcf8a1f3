//! The oracle, told lies: each property that must always hold is broken by an answer no queue may give.

mod lies;

use fencepost_core::bench::Told;
use fencepost_core::call::{Answer, Call, Outcome};
use fencepost_core::oracle::{HEADLINES, Heard, Oracle, PROPERTIES, Property};
use fencepost_core::refusal::Refusal;
use fencepost_core::task::{Attempt, DeadLetter, Phase, Task};
use fencepost_tests::{check, drop_it, enqueue, fail, heartbeat, id, redrive, s};
use lies::*;
use std::time::Duration;

fn hear(oracle: &mut Oracle, told: &[Heard1]) {
    for (step, (now, (call, answer))) in told.iter().enumerate() {
        oracle.turn_to(step);
        let (by, queue) = ("w", &queue());
        oracle.listen(Heard {
            now: *now,
            by,
            queue,
            call,
            answer,
        });
        oracle.all_told();
    }
}

/// The properties that are broken, and what the first of them says.
fn judge(answers: &[Heard1]) -> (Vec<Property>, String) {
    let mut oracle = Oracle::new(OPTIONS);
    hear(&mut oracle, answers);
    verdict(&oracle)
}

fn verdict(oracle: &Oracle) -> (Vec<Property>, String) {
    let broken: Vec<_> = PROPERTIES
        .into_iter()
        .filter(|property| oracle.broken(*property).is_some())
        .collect();
    let what = oracle.first_broken().map(|(_, broken)| broken.what.clone());
    (broken, what.unwrap_or_default())
}

#[test]
fn what_the_chapter_allows_breaks_nothing() {
    let retrying = |at| Outcome::Retrying { visible_at: s(at) };
    let honest = [
        (s(0), added("a")),
        (
            s(0),
            plain(enqueue("a"), Outcome::AlreadyHeld(Phase::Visible)),
        ),
        (s(0), leased("a", 1, 1, s(30))),
        (
            s(10),
            plain(heartbeat("a", 1, ""), Outcome::Extended { deadline: s(40) }),
        ),
        (s(40), leased("a", 2, 2, s(70))),
        (s(40), plain(check("a", 1), Outcome::LeaseLost)),
        (s(41), plain(fail("a", 2, 5), retrying(46))),
        (s(41), plain(Call::Poll, Outcome::NoTask)),
        (s(46), leased("a", 3, 3, s(76))),
        (s(47), plain(fail("a", 3, 0), Outcome::DeadLettered)),
        (s(49), plain(redrive(&["b"]), Outcome::NotFound)),
        (s(50), plain(redrive(&[]), Outcome::Redriven(1))),
        (s(50), leased("a", 4, 1, s(80))),
        (s(79), done("a", 4)),
        (s(79), added("a")),
        (s(79), leased("a", 5, 1, s(109))),
        (s(80), plain(drop_it("a", 5), Outcome::Dropped)),
        (
            s(80),
            plain(Call::Depth, Outcome::Depth(Default::default())),
        ),
    ];
    assert_eq!(judge(&honest), (vec![], String::new()));
}

#[test]
fn each_lie_is_found_and_told_with_its_ids() {
    let begin = [(s(0), added("a")), (s(0), leased("a", 7, 1, s(30)))];
    let lies = [
        lies_about_deliveries(),
        lies_about_acts(),
        lies_about_what_is_held(),
    ];
    for (lie, property, words) in lies.concat() {
        let (broken, what) = judge(&[&begin[..], &lie].concat());
        assert_eq!(broken, [property], "{what}");
        assert!(what.starts_with(words), "{what}");
    }
}

/// The third attempt ends, and the task goes out once more; and its dead letter is listed wrongly.
#[test]
fn the_dead_stay_dead_and_are_listed_as_they_died() {
    let died = [
        (s(0), added("a")),
        (s(0), leased("a", 1, 1, s(30))),
        (s(30), leased("a", 2, 2, s(60))),
        (s(60), leased("a", 3, 3, s(90))),
    ];
    let again = [(s(90), leased("a", 4, 4, s(120)))];
    let (broken, what) = judge(&[&died[..], &again].concat());
    assert_eq!(broken, [Property::AttemptsCount, Property::DeadStayDead]);
    assert_eq!(
        what,
        "task a went out at 90 s, it is dead since 90 s after 3 attempts"
    );
    let letter = |at| DeadLetter {
        task: OPTIONS.resolve(&Task::new(id("a"))),
        attempts: Attempt(3),
        last_error: "lease expired".into(),
        at,
    };
    for (at, is_right) in [(s(90), true), (s(95), false)] {
        let mut answer = Answer::plain(Outcome::DeadLetters(vec![]));
        answer.dead = vec![letter(at)];
        let listed = [(s(95), (Call::DeadLetters, answer))];
        let (broken, _) = judge(&[&died[..], &listed].concat());
        assert_eq!(broken.is_empty(), is_right, "{at}");
    }
}

/// Each wrong answer to a poll that waits.
#[test]
fn who_waits_is_answered_at_once_in_turn_and_at_the_end() {
    let told = |at, by: &str, answer| Told {
        at,
        by: by.into(),
        queue: queue(),
        answer,
    };
    let nothing = || Answer::plain(Outcome::NoTask);
    let a = |at| Answer::of_poll(Ok(lease("a", 1, 1, at)));
    let begun = || {
        let mut oracle = Oracle::new(OPTIONS);
        hear(&mut oracle, &[(s(0), waits(20))]);
        oracle
    };
    let mut oracle = begun();
    hear(&mut oracle, &[(s(5), added("a"))]);
    let late = "w waits since 0 s, and task a is visible since 5 s";
    assert_eq!(verdict(&oracle), (vec![Property::WakesAtOnce], late.into()));
    oracle.told(&told(s(7), "w", a(s(37))));
    assert_eq!(verdict(&oracle).0, [Property::WakesAtOnce]);

    let mut oracle = begun();
    oracle.told(&told(s(19), "w", nothing()));
    let early = "w was told at 19 s that nothing is visible, its wait ends at 20 s";
    assert_eq!(verdict(&oracle), (vec![Property::WaitsEnd], early.into()));

    let mut oracle = begun();
    oracle.pass_time(s(20));
    oracle.all_told();
    let still = "at 20 s w still waits, its wait ends at 20 s";
    assert_eq!(verdict(&oracle), (vec![Property::WaitsEnd], still.into()));

    let mut oracle = begun();
    oracle.told(&told(s(20), "w", nothing()));
    assert_eq!(verdict(&oracle), (vec![], String::new()));
    oracle.told(&told(s(20), "w", nothing()));
    let twice = "w was answered, and no poll of it waits";
    assert_eq!(verdict(&oracle), (vec![Property::WaitsEnd], twice.into()));

    let mut oracle = begun();
    let (call, answer) = waits(20);
    let queue = queue();
    let other = Heard {
        now: s(1),
        by: "v",
        queue: &queue,
        call: &call,
        answer: &answer,
    };
    oracle.listen(other);
    let (call, answer) = added("a");
    oracle.listen(Heard {
        now: s(2),
        by: "p",
        queue: &queue,
        call: &call,
        answer: &answer,
    });
    oracle.told(&told(s(2), "v", a(s(32))));
    let turn = "v was served before w, which waits since 0 s";
    assert_eq!(verdict(&oracle), (vec![Property::InTurn], turn.into()));
}

/// What is told from outside the calls: the log, the records, the looks, the turns, the end.
#[test]
fn what_is_seen_from_outside_is_judged_too() {
    let mut oracle = Oracle::new(OPTIONS);
    hear(&mut oracle, &[(s(0), added("a"))]);
    oracle.turn_to(3);
    oracle.replayed(None);
    oracle.wrote(&Call::Poll, 1, 1);
    oracle.turned(100, 100);
    assert_eq!(verdict(&oracle), (vec![], String::new()));
    oracle.turn_to(4);
    oracle.replayed(Some("one task more".into()));
    oracle.turn_to(5);
    oracle.replayed(Some("two tasks more".into()));
    oracle.wrote(&Call::Poll, 0, 1);
    oracle.turned(101, 100);
    oracle.has_converged();
    let broken = oracle.broken(Property::LogReplays).expect("it was told");
    assert_eq!((broken.step, broken.what.as_str()), (4, "one task more"));
    assert_eq!(
        oracle.first_broken().map(|(first, _)| first),
        Some(Property::LogReplays)
    );
    let what = oracle
        .broken(Property::Converges)
        .map(|broken| broken.what.as_str());
    assert_eq!(what, Some("still held: a in data"));
    let (broken, _) = verdict(&oracle);
    let outside = [
        Property::LogReplays,
        Property::RecordsCount,
        Property::NoSpin,
        Property::Converges,
    ];
    assert_eq!(broken, outside);
}

/// The work of one life is done, and another life of the same id is acknowledged: its own work was never done.
#[test]
fn an_acknowledgement_without_the_work_is_found() {
    let enqueued = |payload: &str| {
        let call = Call::Enqueue {
            task: id("a"),
            payload: payload.into(),
            max_attempts: 0,
            visibility: Duration::ZERO,
        };
        plain(call, Outcome::Added)
    };
    let with = |payload: &str, token| {
        let mut lease = lease("a", token, 1, s(30));
        lease.task.payload = payload.into();
        handed(lease)
    };
    let dropped = || plain(drop_it("a", 1), Outcome::Dropped);
    let begin = [
        (s(0), enqueued("first")),
        (s(0), with("first", 1)),
        (s(0), dropped()),
        (s(0), enqueued("second")),
        (s(0), with("second", 2)),
    ];
    let late = [(s(1), done("a", 1))];
    let (broken, _) = judge(&[&begin[..], &late].concat());
    assert_eq!(
        broken,
        [Property::OneAcknowledgement, Property::EffectsOnce]
    );
    let invented = [(s(1), done("a", 9))];
    let (broken, what) = judge(&[&begin[..], &invented].concat());
    assert_eq!(
        broken,
        [Property::OneAcknowledgement, Property::EffectsOnce]
    );
    assert_eq!(
        what,
        "task a was acknowledged at 1 s by token 9, its newest is 2"
    );
    let right = [(s(1), done("a", 2))];
    assert_eq!(judge(&[&begin[..], &right].concat()).0, []);
}

#[test]
fn a_badly_asked_call_is_nobodys_fault() {
    let bad = Refusal::TooLarge {
        what: "a payload",
        bytes: 9,
        bytes_max: 8,
    };
    let mut answer = Answer::plain(Outcome::Refused(bad.to_string()));
    answer.refusal = Some(bad);
    assert_eq!(
        judge(&[(s(0), (enqueue("a"), answer))]),
        (vec![], String::new())
    );
}

#[test]
fn every_property_is_listed_once_and_has_its_words() {
    let names: std::collections::BTreeSet<_> = PROPERTIES.iter().map(|it| it.name()).collect();
    let sentences: std::collections::BTreeSet<_> =
        PROPERTIES.iter().map(|it| it.sentence()).collect();
    assert_eq!(
        (names.len(), sentences.len()),
        (PROPERTIES.len(), PROPERTIES.len())
    );
    assert_eq!(PROPERTIES[..HEADLINES.len()], HEADLINES);
    assert!(sentences.iter().all(|sentence| sentence.ends_with('.')));
}
