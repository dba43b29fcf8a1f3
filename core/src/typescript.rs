//! The page's types, written out of the Rust ones, so that they are never written twice. Native only.

use crate::{chart, picture, run, sentence, task, time, wake};
use std::string::String;
use ts_rs::{Config, TS};

/// A TypeScript module that declares everything the page is told.
pub fn declarations() -> String {
    let config = Config::new().with_large_int("number");
    let mut text =
        String::from("// Written by `cargo xtask build` out of the core's types. Do not edit.\n");
    macro_rules! declare {
        ($($type:ty),* $(,)?) => {$(
            if let Some(docs) = <$type as TS>::docs() {
                text.push_str(&docs);
            }
            text.push_str("export ");
            text.push_str(&<$type as TS>::decl(&config));
            text.push('\n');
        )*};
    }
    declare!(
        time::Timestamp,
        task::TaskId,
        task::Token,
        task::Attempt,
        task::Phase,
        task::Depth,
        wake::Wake,
        wake::Why,
        picture::Picture,
        picture::TaskPicture,
        picture::LeasePicture,
        chart::Chart,
        chart::Span,
        chart::End,
        chart::How,
        chart::Post,
        chart::Belief,
        chart::Mark,
        chart::Glyph,
        run::About,
        run::RowView,
        run::RecordLine,
        run::StepView,
        sentence::Sentence,
        run::Change,
        run::Light,
        run::GoalView,
    );
    text
}
