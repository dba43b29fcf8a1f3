//! A scenario as a table in Markdown, like the chapter's section 3.
//!
//! It knows how Markdown is kept from reading text as its own. It deliberately knows no queue.

use super::text::{one_line, secs};
use super::{Played, call_words, play};
use crate::scenario::Scenario;
use crate::time::Timestamp;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The scenario as a table: title, source, defaults, and `t (s) | who | call | result`, row for row. The
/// results are what the queue answers by the chapter's rules.
pub fn markdown_table(scenario: &Scenario) -> String {
    let mut played = play(scenario).into_iter();
    let mut text = heading(scenario);
    text.push_str("| t (s) | who | call | result |\n| ---: | --- | --- | --- |\n");
    for one in played.by_ref().take(scenario.setup.len()) {
        text.push_str(&line(scenario, Timestamp::ZERO, &[one]));
    }
    for row in &scenario.rows {
        let calls: Vec<Played<'_>> = played.by_ref().take(row.calls.len()).collect();
        if !calls.is_empty() {
            text.push_str(&line(scenario, row.at, &calls));
        }
    }
    text
}

fn heading(scenario: &Scenario) -> String {
    let mut text = format!("# {}\n\n", plain(scenario.title.trim()));
    let source = scenario.source.trim();
    if !source.is_empty() {
        text.push_str(&format!("Source: {}.\n\n", plain(source)));
    }
    let defaults = scenario.options().resolved();
    text.push_str(&format!(
        "Queue {}, visibility {} s, max attempts {}.\n\n",
        plain(scenario.queue.as_str()),
        secs(defaults.visibility),
        defaults.max_attempts,
    ));
    text
}

fn line(scenario: &Scenario, at: Timestamp, calls: &[Played<'_>]) -> String {
    let mut who: Vec<String> = calls.iter().map(|one| plain(&one.planned.by)).collect();
    who.dedup();
    let said = |one: &Played<'_>| plain(&call_words(scenario, one.planned));
    let came = |one: &Played<'_>| plain(&one.answer.outcome.to_string());
    format!(
        "| {at} | {} | {} | {} |\n",
        who.join(", then "),
        calls.iter().map(said).collect::<Vec<_>>().join(", then "),
        calls.iter().map(came).collect::<Vec<_>>().join(", then "),
    )
}

/// Text on one line that Markdown shows as it is: no cell ends, no markup, no HTML.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '&' => plain.push_str("&amp;"),
            '<' => plain.push_str("&lt;"),
            '>' => plain.push_str("&gt;"),
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '~' | '#' | '$' => {
                plain.push('\\');
                plain.push(c);
            }
            c => plain.push(c),
        }
    }
    plain
}
