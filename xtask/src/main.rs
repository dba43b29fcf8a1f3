//! The one command behind every errand: build, play, test, check, bench.
//!
//! Knows: which module does which errand, and which exit code its end becomes (0 done, 1 failed,
//! 2 misused). Does not know: how any of them is done, nor any rule of the queue.

mod args;
mod bench;
mod browser;
mod check;
mod error;
mod generated;
mod hard_wired;
mod node;
mod play;
mod serve;
mod shell;
mod site;
mod stamp;
mod step;
mod tally;
mod test;
mod toolchain;
mod wasm;
mod workspace;

use std::process::ExitCode;

use args::Errand;
use error::Error;
use workspace::Workspace;

fn main() -> ExitCode {
    match args::parse(std::env::args_os().skip(1)).and_then(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if let Some(text) = error.to_print() {
                eprintln!("error: {text}");
            }
            ExitCode::from(error.exit_code())
        }
    }
}

fn run(errand: Errand) -> Result<(), Error> {
    match errand {
        Errand::Help => {
            print!("{}", args::HELP);
            Ok(())
        }
        Errand::Digest { scenario } => generated::print_digest(&scenario),
        Errand::Build => site::build(&Workspace::enter()?),
        Errand::Play { port, open } => play::play(&Workspace::enter()?, port, open),
        Errand::Test { part, extra } => test::test(&Workspace::enter()?, part, &extra),
        Errand::Check => check::check(&Workspace::enter()?),
        Errand::Bench => bench::bench(&Workspace::enter()?),
    }
}
