//! `fencepost`: the queue's simulation from the command line.
//!
//! It knows which command was typed and turns what went wrong into a line and an exit code. It deliberately
//! knows no rule of the queue.

mod cli;

use clap::Parser;
use cli::args::{Cli, Command};
use std::process::ExitCode;

fn main() -> ExitCode {
    let ended = match Cli::parse().command {
        Command::Chaos(asked) => cli::chaos::chaos(&asked),
        Command::Merge(asked) => cli::chaos::merge(&asked),
        Command::Replay(asked) => cli::replay::replay(&asked),
        Command::Digest(asked) => cli::replay::digest(&asked),
        Command::Export(asked) => cli::replay::export(&asked),
        Command::Shrink(asked) => cli::small::shrink(&asked),
        Command::Lockstep(asked) => cli::small::lockstep(&asked),
        Command::Onward(asked) => cli::small::onward(&asked),
        Command::Explore(asked) => cli::explore::explore(&asked),
        Command::Bugs(asked) => cli::bugs::bugs(&asked),
    };
    match ended {
        Ok(ended) => ended.code(),
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}
