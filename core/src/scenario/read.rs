//! Reading a scenario's JSON, and saying shortly why it cannot be read.
//!
//! It knows what every version of the format says of itself. It deliberately knows no limit.

use super::ScenarioError;
use alloc::string::{String, ToString};
use serde::Deserialize;

/// So many letters of a reader's error are told.
const WHY_CHARS_MAX: usize = 160;

/// What every version of the format says of itself.
#[derive(Deserialize)]
pub(super) struct Head {
    pub(super) format: String,
    pub(super) version: u64,
}

pub(super) fn from_json<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, ScenarioError> {
    serde_json::from_str(text)
        .map_err(|error| ScenarioError::Unreadable(short_line(&error.to_string())))
}

/// One line with its beginning and its end: a reader's error may quote the text that it read.
fn short_line(text: &str) -> String {
    let is_break = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let line = text.replace(is_break, " ");
    let letters = line.chars().count();
    if letters <= WHY_CHARS_MAX {
        return line;
    }
    let begin = line.chars().take(WHY_CHARS_MAX / 2);
    let end = line.chars().skip(letters - WHY_CHARS_MAX / 2);
    begin.chain(" ... ".chars()).chain(end).collect()
}
