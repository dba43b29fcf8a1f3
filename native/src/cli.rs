//! What each command does.
//!
//! It knows how to print. It deliberately computes nothing that the core does not.

pub(crate) mod args;
pub(crate) mod bugs;
pub(crate) mod chaos;
pub(crate) mod explore;
pub(crate) mod print;
pub(crate) mod replay;
pub(crate) mod small;
mod source;

use std::fmt::Display;
use std::process::ExitCode;

/// How a command ended that could be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Nothing is wrong: exit code 0.
    Well,
    /// Something is red, or differs: exit code 1.
    Red,
}

impl Ended {
    pub(crate) fn red_if(red: bool) -> Self {
        if red { Ended::Red } else { Ended::Well }
    }

    pub(crate) fn code(self) -> ExitCode {
        match self {
            Ended::Well => ExitCode::SUCCESS,
            Ended::Red => ExitCode::from(1),
        }
    }
}

/// How a command ended, or why it could not be carried out: exit code 2.
pub(crate) type Outcome = Result<Ended, String>;

/// An error in one line.
pub(crate) fn said(error: impl Display) -> String {
    error.to_string()
}
