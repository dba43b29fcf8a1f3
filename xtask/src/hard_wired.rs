//! A copy of the core with its rules written out where they are asked, to measure what asking costs.
//!
//! Knows: how a rule and a call of it look in the source. Does not know: any rule; what it writes out, it
//! read in `rules.rs`.

use std::collections::BTreeMap;

/// A rule: the names of its parameters, and its body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Rule {
    params: Vec<String>,
    body: String,
}

/// What a written-out body may name.
const NAMES: &str = "use crate::task::{Attempt, Disposition, Phase, Token};";

/// The rules with their default bodies, out of the trait's source.
pub(crate) fn read_rules(source: &str) -> BTreeMap<String, Rule> {
    let body = source.split("pub trait Rules {").nth(1).unwrap_or_default();
    let trait_end = body.find("\n}\n").unwrap_or(body.len());
    body[..(trait_end + 1).min(body.len())]
        .split("\n    fn ")
        .skip(1)
        .filter_map(read_rule)
        .collect()
}

fn read_rule(text: &str) -> Option<(String, Rule)> {
    let open = text.find('(')?;
    let params = arguments(&text[open..])?;
    let rest = &text[open..];
    let brace = rest.find('{')?;
    let end = rest.find("\n    }\n").unwrap_or(rest.len());
    let names = params.iter().skip(1).filter(|param| !param.is_empty());
    let names = names.map(|param| {
        param
            .split(':')
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned()
    });
    let rule = Rule {
        params: names.collect(),
        body: rest[brace + 1..end].trim().to_owned(),
    };
    Some((text[..open].to_owned(), rule))
}

/// The source with every call of a rule replaced by the rule's body.
pub(crate) fn write_out(rules: &BTreeMap<String, Rule>, source: &str) -> String {
    let mut text = source.to_owned();
    while let Some((from, to, written)) = first_call(rules, &text) {
        text.replace_range(from..to, &written);
    }
    text
}

/// Where the first call of a rule stands, and what it becomes.
fn first_call(rules: &BTreeMap<String, Rule>, text: &str) -> Option<(usize, usize, String)> {
    let calls = rules.iter().flat_map(|(name, rule)| {
        [
            "self.queue.rules().",
            "queue.rules().",
            "self.rules.",
            "rules.",
        ]
        .iter()
        .filter_map(move |asked| {
            let pattern = format!("{asked}{name}(");
            Some((text.find(&pattern)?, pattern.len(), rule))
        })
    });
    // At one place the longest way of asking is the right one.
    let (from, length, rule) =
        calls.min_by_key(|(from, length, _)| (*from, usize::MAX - length))?;
    let given = arguments(&text[from + length - 1..])?;
    let closed = from + length - 1 + closing(&text[from + length - 1..])? + 1;
    let lets = rule.params.iter().zip(&given);
    let lets: String = lets
        .map(|(name, value)| format!("let {name} = {value}; "))
        .collect();
    let body = rule.body.replace("self.", "rules.");
    Some((
        from,
        closed,
        format!("{{ #[allow(unused_imports)] {NAMES} {lets}{{ {body} }} }}"),
    ))
}

/// What stands between a bracket and its closing one, split at the commas outside of inner brackets.
fn arguments(text: &str) -> Option<Vec<String>> {
    let inner = &text[1..closing(text)?];
    let (mut depth, mut parts) = (0i32, vec![String::new()]);
    for letter in inner.chars() {
        depth += nesting(letter);
        match letter {
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut()?.push(letter),
        }
    }
    Some(
        parts
            .into_iter()
            .map(|part| part.trim().to_owned())
            .filter(|part| !part.is_empty())
            .collect(),
    )
}

/// Where the bracket that opens the text is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, letter)| {
        depth += nesting(letter);
        (depth == 0).then_some(at)
    })
}

fn nesting(letter: char) -> i32 {
    match letter {
        '(' | '[' | '{' => 1,
        ')' | ']' | '}' => -1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRAIT: &str = "pub trait Rules {
    /// Over at its end.
    fn is_over(&self, now: u64, end: u64) -> bool {
        now >= end
    }

    /// Its phase.
    fn phase(&self, now: u64, end: u64) -> Phase {
        if self.is_over(now, end) { Phase::Dead } else { Phase::Leased }
    }
}
";

    #[test]
    fn a_call_becomes_its_rule() {
        let written = write_out(
            &read_rules(TRAIT),
            "let a = rules.is_over(f(x, y), held.end());",
        );
        assert!(
            written.contains("let now = f(x, y); let end = held.end(); { now >= end }"),
            "{written}"
        );
        assert!(!written.contains("rules."), "{written}");
    }

    #[test]
    fn a_rule_that_asks_another_is_written_out_to_the_end() {
        let written = write_out(&read_rules(TRAIT), "self.rules.phase(1, 2)");
        assert!(
            !written.contains("rules.") && written.contains("now >= end"),
            "{written}"
        );
    }

    #[test]
    fn every_rule_of_the_core_is_read_and_written_out() {
        let core = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/src/");
        let read = |name: &str| {
            std::fs::read_to_string(format!("{core}{name}")).expect("a source of the core")
        };
        let rules = read_rules(&read("rules.rs"));
        assert_eq!(rules.len(), 21);
        let whole = |rule: &Rule| rule.body.matches('{').count() == rule.body.matches('}').count();
        assert!(rules.values().all(whole), "{rules:?}");
        for name in [
            "decide.rs",
            "queue.rs",
            "state.rs",
            "state/shelf.rs",
            "long_poll.rs",
        ] {
            let (before, after) = (read(name), write_out(&rules, &read(name)));
            assert_ne!(before, after, "{name} asks rules");
            assert_eq!(first_call(&rules, &after), None, "{name}");
        }
    }
}
