//! The records: what the documentation shows, and what no queue would have written.

use fencepost_core::log::{Entry, MemoryLog};
use fencepost_core::queue::Queue;
use fencepost_core::record::{Record, VERSION};
use fencepost_core::rules::Chapter;
use fencepost_core::task::{Options, QueueName};
use fencepost_tests::s;

/// The records that the documentation shows are a log: it opens, and is written again to the letter.
#[test]
fn the_documented_records_are_a_log() {
    let page = include_str!("../docs/records.md");
    let shown = page
        .split("```json\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    let lines: Vec<&str> = shown.expect("the page shows records").lines().collect();
    for kind in [
        "enq", "lease", "hb", "retry", "dead", "redrive", "ack", "drop",
    ] {
        assert!(
            lines
                .iter()
                .any(|line| line.contains(&format!("\"kind\":\"{kind}\""))),
            "{kind} is shown"
        );
        assert!(
            page.contains(&format!("| `{kind}` |")),
            "{kind} is explained"
        );
    }
    let entries = lines.iter().map(|line| Entry {
        stream: "queue/data".into(),
        line: (*line).into(),
    });
    let mut queue = Queue::open(
        MemoryLog::with_entries(entries.collect()),
        Chapter,
        Options::default(),
    )
    .expect("the documented log opens");
    let name = QueueName::new("data").expect("a short name");
    assert_eq!(queue.depth(s(30), &name), Default::default());
    for line in lines {
        let record: Record = serde_json::from_str(line).expect("a record");
        assert_eq!(
            serde_json::to_string(&record).expect("a record is written"),
            line
        );
    }
    assert!(page.starts_with(&format!("# The records, version {VERSION}\n")));
}

/// Lines that are records, but that no queue would have written there.
#[test]
fn an_impossible_record_is_refused_with_its_position() {
    let queue_of = |lines: &[&str]| {
        let entries = lines.iter().map(|line| Entry {
            stream: "queue/data".into(),
            line: (*line).into(),
        });
        Queue::open(
            MemoryLog::with_entries(entries.collect()),
            Chapter,
            Options::default(),
        )
    };
    let enq = r#"{"kind":"enq","at":5,"task":"a","max_attempts":1,"visibility":10}"#;
    let lease =
        r#"{"kind":"lease","at":6,"task":"a","token":4,"attempt":1,"deadline":16,"worker":"w"}"#;
    let dead = r#"{"kind":"dead","at":7,"task":"a","token":4,"attempts":1,"error":"boom"}"#;
    let (all, before, none) = (vec![enq, lease, dead], vec![enq, lease], vec![]);
    let in_b = |line: &str, at: &str| line.replace("\"a\"", "\"b\"").replacen(at, "\"at\":9", 1);
    let redrive = |tasks: &str| format!("{{\"kind\":\"redrive\",\"at\":6,\"tasks\":[{tasks}]}}");
    let second = in_b(enq, "\"at\":5");
    let impossible = [
        (&none, lease.to_string(), "no task \"a\" is held"),
        (
            &none,
            enq.replace("\"max_attempts\":1", "\"max_attempts\":0"),
            "max_attempts is 0",
        ),
        (&none, enq.replace(":10", ":0"), "visibility is 0"),
        (&vec![enq], enq.to_string(), "held already"),
        (
            &vec![enq],
            lease.replace("\"attempt\":1", "\"attempt\":2"),
            "attempt 2 is not the next",
        ),
        (&vec![enq], lease.replace(":16", ":5"), "lies before"),
        (&vec![enq], redrive("\"a\""), "is visible, not dead"),
        (&vec![enq], redrive(""), "redrives nothing"),
        (&before, lease.to_string(), "is leased, not visible"),
        (
            &before,
            in_b(enq, "\"at\":5").replace(":9", ":4"),
            "after something at",
        ),
        (
            &before,
            dead.replace(":7", ":16"),
            "was over at its deadline",
        ),
        (
            &before,
            dead.replace("\"token\":4", "\"token\":3"),
            "replaced by token 4",
        ),
        (
            &before,
            dead.replace("\"attempts\":1", "\"attempts\":2"),
            "not delivered 2 times",
        ),
        (&all, dead.to_string(), "was given up, the task is dead"),
        (
            &vec![enq, lease, dead, &second],
            in_b(lease, "\"at\":6"),
            "token 4 does not rise above 4",
        ),
    ];
    for (lines, last, why) in impossible {
        assert!(queue_of(lines).is_ok(), "what comes before is possible");
        let error = queue_of(&[lines.as_slice(), &[&last]].concat())
            .expect_err(why)
            .to_string();
        assert!(error.contains(why), "{error:?} does not say {why:?}");
        assert!(
            error.contains(&format!("record {} ", lines.len())),
            "{error}"
        );
    }
}
