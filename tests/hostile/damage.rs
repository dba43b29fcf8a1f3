//! Damage: a scenario that was cut, that has a wrong byte, or that somebody changed at random.
//!
//! It knows that nothing may panic, and that whatever can be read can be played. It deliberately knows no
//! reason of a refusal.

use super::refused;
use fencepost_core::export::{javascript_test, markdown_table, rust_test, tcp_transcript};
use fencepost_core::rules::Chapter;
use fencepost_core::run::Run;
use fencepost_core::scenario::{SHELF, Scenario};
use fencepost_tests::Dice;
use serde_json::{Value, json};

#[test]
fn no_beginning_of_a_scenario_is_one() {
    let whole = SHELF[0].1.trim_end();
    for cut in (0..whole.len()).filter(|cut| whole.is_char_boundary(*cut)) {
        refused(&whole[..cut]);
    }
    refused(&whole[1..]);
    refused(&format!("{whole},"));
    refused(&whole.repeat(2));
}

/// Any byte may be another: the text is refused in one line, or it is a scenario that reads as it writes.
#[test]
fn one_wrong_byte_never_panics() {
    let whole = SHELF[0].1.as_bytes();
    let mut taken = 0;
    for place in 0..whole.len() {
        for byte in *b"\0\n\"\\{]9-" {
            let mut bytes = whole.to_vec();
            bytes[place] = byte;
            let text = String::from_utf8(bytes).expect("all of it is ASCII");
            match Scenario::parse(&text) {
                Err(_) => _ = refused(&text),
                Ok(_) => taken += 1,
            }
        }
    }
    assert!(
        taken > 1_000,
        "a wrong letter in a text is no harm, {taken}"
    );
}

const SEEDS: [&str; 3] = [
    SHELF[0].1,
    include_str!("../data/everything.json"),
    include_str!("../data/hostile.json"),
];

/// A number as an attacker or a slip of the hand would write it.
fn number(dice: &mut Dice) -> Value {
    let edges = [0, 1, 2, 3, 5, 29_999, 30_000, 1_000_000_000, u64::MAX];
    json!(if dice.one_in(3) {
        dice.below(20)
    } else {
        edges[dice.below(9) as usize]
    })
}

/// Changes some of the values, and the order and number of what stands in lists.
fn mutate(value: &mut Value, dice: &mut Dice, strings: &[&str]) {
    match value {
        Value::Number(_) if dice.one_in(12) => *value = number(dice),
        Value::String(_) if dice.one_in(15) => {
            *value = json!(strings[dice.below(strings.len() as u64) as usize])
        }
        Value::Array(list) => {
            if list.len() > 1 && dice.one_in(3) {
                let (one, other) = (dice.below(list.len() as u64), dice.below(list.len() as u64));
                match dice.below(3) {
                    0 => list.swap(one as usize, other as usize),
                    1 => list.insert(one as usize, list[other as usize].clone()),
                    _ => _ = list.remove(one as usize),
                }
            }
            list.iter_mut().for_each(|one| mutate(one, dice, strings));
        }
        Value::Object(fields) => {
            for (key, one) in fields.iter_mut() {
                if !matches!(key.as_str(), "format" | "version" | "expect" | "goals") {
                    mutate(one, dice, strings);
                }
            }
        }
        _ => (),
    }
}

/// Whatever can be read can be played to its end, looked at and exported.
#[test]
fn what_can_be_read_can_be_played() {
    let strings = [
        "a",
        "b",
        "d",
        "m",
        "worker 1",
        "worker 2",
        "data",
        "mail",
        "\n",
        "poll",
        "reopen",
        "break_log",
        "poll_returns",
        "depth",
    ];
    let mut dice = Dice::new(300);
    let (mut played, mut refused_ones) = (0, 0);
    while played < 300 {
        let seed = SEEDS[dice.below(3) as usize];
        let mut value: Value = serde_json::from_str(seed).expect("it is JSON");
        mutate(&mut value, &mut dice, &strings);
        let Ok(scenario) = Scenario::parse(&value.to_string()) else {
            refused(&value.to_string());
            refused_ones += 1;
            continue;
        };
        played += 1;
        let texts = [
            rust_test(&scenario, "mutated"),
            markdown_table(&scenario),
            tcp_transcript(&scenario),
        ];
        assert!(texts.iter().all(|text| text.ends_with('\n')));
        _ = javascript_test(&scenario).map_err(|error| error.to_string());
        let mut run = Run::with_rules(scenario, Chapter);
        let last = run.rows();
        assert_eq!(run.seek(last).step, last);
        assert_eq!(run.seek(0).step, 0);
    }
    assert!(refused_ones > 10, "and some cannot be read, {refused_ones}");
}
