//! Section 3, row for row: the table that its scenario must show.
//!
//! It knows the chapter's table and where the scenario is. It deliberately knows no rule: rules only
//! choose what is compared with the table.

use fencepost_core::bugs::Chosen;
use fencepost_core::rules::Rules;
use fencepost_core::run::Run;
use fencepost_core::scenario::{SHELF, Scenario};

/// t (s) | call | result, as the chapter has it, with each token written out; the browser test reads it too.
const SECTION_3: &str = include_str!("../section-3.txt");

/// The scenario of section 3, as the page plays it.
pub fn text() -> &'static str {
    let found = SHELF.iter().find(|(name, _)| *name == "section-3");
    found.expect("the crate ships section 3").1
}

fn table<R: Rules + Clone>(run: &Run<R>) -> Vec<[String; 3]> {
    let rows = run.about().rows.into_iter();
    rows.map(|row| [row.at.to_string(), row.call, row.result])
        .collect()
}

fn expected() -> Vec<[String; 3]> {
    let cells = |line: &str| {
        let mut cells = line.split('|').map(|cell| cell.trim().to_string());
        [(); 3].map(|()| cells.next().expect("three cells a row"))
    };
    SECTION_3.lines().map(cells).collect()
}

/// What these rules make of the scenario is the chapter's table (pitfalls 2, 3 and 4).
pub fn hand_timeline(rules: Chosen) {
    let scenario = Scenario::parse(text()).expect("section 3 is a scenario");
    let run = Run::with_rules(scenario, rules);
    assert_eq!(table(&run), expected());
}
