//! Tables for a terminal.
//!
//! It knows columns. It deliberately knows no colour: a table is read by programs too.

use fencepost_core::rules::Rules;
use fencepost_core::run::Run;
use std::fmt::Arguments;
use std::io::{Write, stdout};

/// Prints a line, and ends quietly if nobody reads any more, as `head` does after its ten lines.
macro_rules! say {
    ($($words:tt)*) => {
        $crate::cli::print::line(format_args!($($words)*))
    };
}

pub(crate) use say;

/// What [`say!`] does.
pub(crate) fn line(words: Arguments<'_>) {
    if writeln!(stdout().lock(), "{words}").is_err() {
        std::process::exit(1);
    }
}

/// Prints a run as the chapter prints its worked example, with what was expected where it differs.
pub(crate) fn table<R: Rules + Clone>(run: &Run<R>) {
    let about = run.about();
    let rows: Vec<[String; 5]> = about
        .rows
        .iter()
        .enumerate()
        .map(|(row, view)| {
            let differs = view.expected.as_ref();
            let expected =
                differs.map_or_else(String::new, |right| format!(" (expected: {right})"));
            [
                (row + 1).to_string(),
                view.at.to_string(),
                view.by.join(", "),
                view.call.clone(),
                format!("{}{expected}", view.result),
            ]
        })
        .collect();
    let head = ["row", "t (s)", "who", "call", "result"].map(String::from);
    let widths = [0, 1, 2, 3].map(|column: usize| {
        let cells = rows
            .iter()
            .chain([&head])
            .map(|row| row[column].chars().count());
        cells.max().unwrap_or_default()
    });
    for [row, at, by, call, result] in [&head].into_iter().chain(&rows) {
        let [a, b, c, d] = widths;
        say!("{row:>a$}  {at:>b$}  {by:<c$}  {call:<d$}  {result}");
    }
}

/// A large number that can be read: 1,234,567.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn large_numbers_are_grouped() {
        let text = [0, 999, 1_000, 1_234_567].map(grouped);
        assert_eq!(text, ["0", "999", "1,000", "1,234,567"]);
    }
}
