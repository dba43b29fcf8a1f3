//! Everything that can go wrong here, and the sentence for each.
//!
//! Knows: the rule that was broken, the value that broke it and the way out. Does not know: who
//! asked.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// What every errand answers with when it cannot go on.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// Why an errand ended early.
#[derive(Debug)]
pub(crate) enum Error {
    /// The words after `cargo xtask` make no errand.
    Usage(String),
    /// A program could not be started at all.
    NotStarted { command: String, cause: io::Error },
    /// A program ran and said no.
    CommandFailed { command: String, status: String },
    /// A file could not be read or written.
    File {
        doing: &'static str,
        path: PathBuf,
        cause: io::Error,
    },
    /// This machine lacks something that xtask could not get by itself.
    Lacking { what: String, way_out: String },
    /// No port of ours could be taken.
    Port { port: u16, cause: io::Error },
    /// wasm-bindgen refused the module.
    Bindings(String),
    /// A path of this machine stands in what everybody will download.
    PathInWasm { path: String },
    /// A scenario is neither built in nor a file, or core refused it.
    Scenario { name: String, reason: String },
    /// The tests or checks said no; each has printed its own reason.
    AlreadyTold,
}

impl Error {
    /// The text for standard error, unless everything was said before.
    pub(crate) fn to_print(&self) -> Option<String> {
        (!matches!(self, Error::AlreadyTold)).then(|| self.to_string())
    }

    /// 2 for a misuse, 1 for everything else.
    pub(crate) fn exit_code(&self) -> u8 {
        if matches!(self, Error::Usage(_)) {
            2
        } else {
            1
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(text) => write!(f, "{text}; `cargo xtask help` lists what there is"),
            Error::NotStarted { command, cause } => write!(
                f,
                "`{command}` could not be started: {cause}; is the program installed and on PATH?"
            ),
            Error::CommandFailed { command, status } => {
                write!(
                    f,
                    "`{command}` ended with {status}; its own words stand above"
                )
            }
            Error::File { doing, path, cause } => {
                write!(f, "{doing} {} failed: {cause}", path.display())
            }
            Error::Lacking { what, way_out } => write!(f, "{what}; {way_out}"),
            Error::Port { port, cause } => write!(
                f,
                "port {port} on 127.0.0.1 could not be taken: {cause}; choose another with \
                 `--port N`, or leave it out for the next free one"
            ),
            Error::Bindings(text) => write!(f, "wasm-bindgen refused the module: {text}"),
            Error::PathInWasm { path } => write!(
                f,
                "the wasm must hold no path of the machine that built it, and it holds {path}; \
                 add that folder to `remapped_folders` in xtask/src/wasm.rs"
            ),
            Error::Scenario { name, reason } => write!(f, "scenario {name}: {reason}"),
            Error::AlreadyTold => f.write_str("failed, for the reasons above"),
        }
    }
}

impl From<lexopt::Error> for Error {
    fn from(error: lexopt::Error) -> Self {
        Error::Usage(error.to_string())
    }
}
