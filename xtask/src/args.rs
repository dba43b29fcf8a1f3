//! What a person may type after `cargo xtask`, and the help that says so.
//!
//! Knows: the errands and their options. Does not know: how an errand is done.

use std::ffi::OsString;

use lexopt::prelude::*;

use crate::error::Error;

/// The text of `cargo xtask help`.
pub(crate) const HELP: &str = "\
Fencepost's errands. What this machine lacks is installed where that is possible, and said.

usage:
  cargo xtask build                   the page as a static folder, target/site/
  cargo xtask play [--port N] [--open]
                                      build, then serve the page on 127.0.0.1
                                      (port 4173, or the next free one; --open starts a browser)
  cargo xtask test [PART] [ARGS...]   every test, or one part: native, wasm, web, browser
                                      (ARGS go to that part's runner as they are)
  cargo xtask check                   formatting and lints
  cargo xtask bench                   the benchmarks, beside their yardsticks
  cargo xtask digest SCENARIO         a run's digest; SCENARIO is a name or a JSON file
  cargo xtask help                    this text

examples:
  cargo xtask play --open
  cargo xtask test native lease       the Rust tests whose name holds `lease`
  cargo xtask test browser --headed   the browser tests, in a window

environment:
  FENCEPOST_WASM_TOOLCHAIN            rustup or debian: which compiler makes the wasm. Unset: the
                                      one on PATH if it has the target, else `rustup target add`,
                                      else Debian's packages
  CHROMIUM                            the browser of the browser tests. Unset: chromium or
                                      google-chrome on PATH, else Debian's package, else
                                      Playwright's own

exit codes: 0 done, 1 something failed, 2 asked wrongly
";

/// One thing a person asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Errand {
    Help,
    Build,
    Play {
        port: Option<u16>,
        open: bool,
    },
    Test {
        part: Option<Part>,
        extra: Vec<OsString>,
    },
    Check,
    Bench,
    Digest {
        scenario: OsString,
    },
}

/// One part of the tests, by the runner it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Native,
    Wasm,
    Web,
    Browser,
}

impl Part {
    /// Every part, in the order they run: what fails soonest comes first.
    pub(crate) const ALL: [Part; 4] = [Part::Native, Part::Wasm, Part::Web, Part::Browser];

    /// The word a person types and the summary prints.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Part::Native => "native",
            Part::Wasm => "wasm",
            Part::Web => "web",
            Part::Browser => "browser",
        }
    }

    fn named(word: &str) -> Result<Part, Error> {
        Part::ALL
            .into_iter()
            .find(|part| part.name() == word)
            .ok_or_else(|| {
                usage(format!(
                    "the tests have no part `{word}`: native, wasm, web or browser"
                ))
            })
    }
}

/// Reads the words after `cargo xtask`.
pub(crate) fn parse(words: impl Iterator<Item = OsString>) -> Result<Errand, Error> {
    let mut parser = lexopt::Parser::from_args(words.collect::<Vec<_>>());
    let errand = match parser.next()? {
        None | Some(Short('h') | Long("help")) => Errand::Help,
        Some(Value(word)) => match word.string()?.as_str() {
            "help" => Errand::Help,
            "build" => Errand::Build,
            "play" => return play(&mut parser),
            "test" => return test(&mut parser),
            "check" => Errand::Check,
            "bench" => Errand::Bench,
            "digest" => Errand::Digest {
                scenario: scenario(&mut parser)?,
            },
            other => return Err(usage(format!("there is no errand `{other}`"))),
        },
        Some(other) => return Err(other.unexpected().into()),
    };
    match parser.next()? {
        None => Ok(errand),
        Some(Short('h') | Long("help")) => Ok(Errand::Help),
        Some(other) => Err(other.unexpected().into()),
    }
}

fn play(parser: &mut lexopt::Parser) -> Result<Errand, Error> {
    let (mut port, mut open) = (None, false);
    while let Some(arg) = parser.next()? {
        match arg {
            Long("port") => port = Some(parser.value()?.parse()?),
            Long("open") => open = true,
            Short('h') | Long("help") => return Ok(Errand::Help),
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(Errand::Play { port, open })
}

fn test(parser: &mut lexopt::Parser) -> Result<Errand, Error> {
    let part = match parser.next()? {
        None => None,
        Some(Value(word)) => Some(Part::named(&word.string()?)?),
        Some(Short('h') | Long("help")) => return Ok(Errand::Help),
        Some(other) => return Err(other.unexpected().into()),
    };
    let extra: Vec<OsString> = parser.raw_args()?.collect();
    if part == Some(Part::Wasm) && !extra.is_empty() {
        return Err(usage("the part `wasm` takes no arguments".into()));
    }
    Ok(Errand::Test { part, extra })
}

fn scenario(parser: &mut lexopt::Parser) -> Result<OsString, Error> {
    match parser.next()? {
        Some(Value(name)) => Ok(name),
        Some(other) => Err(other.unexpected().into()),
        None => Err(usage(
            "`digest` needs a scenario: a built-in name or a JSON file".into(),
        )),
    }
}

fn usage(text: String) -> Error {
    Error::Usage(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Result<Errand, String> {
        parse(line.split_whitespace().map(OsString::from)).map_err(|error| error.to_string())
    }

    fn test_errand(part: Option<Part>, extra: &[&str]) -> Errand {
        Errand::Test {
            part,
            extra: extra.iter().map(OsString::from).collect(),
        }
    }

    #[test]
    fn every_errand_is_understood() {
        let table = [
            ("", Errand::Help),
            ("help", Errand::Help),
            ("--help", Errand::Help),
            ("build --help", Errand::Help),
            ("build", Errand::Build),
            ("check", Errand::Check),
            ("bench", Errand::Bench),
            (
                "play",
                Errand::Play {
                    port: None,
                    open: false,
                },
            ),
            (
                "play --port 8080",
                Errand::Play {
                    port: Some(8080),
                    open: false,
                },
            ),
            (
                "play --open --port=81",
                Errand::Play {
                    port: Some(81),
                    open: true,
                },
            ),
            ("test", test_errand(None, &[])),
            ("test native", test_errand(Some(Part::Native), &[])),
            ("test wasm", test_errand(Some(Part::Wasm), &[])),
            ("test web", test_errand(Some(Part::Web), &[])),
            (
                "test browser --headed -x",
                test_errand(Some(Part::Browser), &["--headed", "-x"]),
            ),
            (
                "test native -- --nocapture",
                test_errand(Some(Part::Native), &["--", "--nocapture"]),
            ),
            (
                "digest chaos",
                Errand::Digest {
                    scenario: "chaos".into(),
                },
            ),
        ];
        for (line, errand) in table {
            assert_eq!(words(line), Ok(errand), "cargo xtask {line}");
        }
    }

    #[test]
    fn every_misuse_is_named() {
        let table = [
            ("paly", "there is no errand `paly`"),
            ("build now", "unexpected argument \"now\""),
            ("play --port", "missing argument for option '--port'"),
            ("play --port 99999", "cannot parse argument \"99999\""),
            ("test nativ", "the tests have no part `nativ`"),
            ("test wasm x", "the part `wasm` takes no arguments"),
            ("digest", "`digest` needs a scenario"),
            ("--loud", "invalid option '--loud'"),
        ];
        for (line, reason) in table {
            let error = words(line).expect_err(line);
            assert!(error.contains(reason), "cargo xtask {line}: {error}");
            assert!(
                error.contains("cargo xtask help"),
                "cargo xtask {line}: {error}"
            );
        }
    }

    #[test]
    fn the_help_names_every_part() {
        for part in Part::ALL {
            assert!(HELP.contains(part.name()), "{}", part.name());
        }
    }
}
