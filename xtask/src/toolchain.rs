//! Which compiler makes the wasm, and what is done when none can yet.
//!
//! Knows: the order of the ways (std on PATH, rustup, Debian present, Debian installed), as a pure
//! function over a few facts, and how each fact is found. Does not know: what is compiled.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::error::{Error, Result};
use crate::shell;
use crate::stamp;
use crate::step::step;
use crate::workspace::Workspace;

/// The target's name, the same for every compiler.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

const FORCE: &str = "FENCEPOST_WASM_TOOLCHAIN";
const DEBIAN_PACKAGES: [&str; 5] = [
    "rustc-web",
    "cargo-web",
    "rust-web-src",
    "rust-web-llvm",
    "lld",
];
const DEBIAN_FILES: [&str; 4] = [
    "/usr/bin/cargo",
    "/usr/bin/rustc",
    "/usr/bin/wasm-ld",
    "/usr/lib/rustlib/src/rust/library/std/Cargo.toml",
];

/// A compiler that can make wasm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Toolchain {
    /// The cargo on PATH, with std for wasm32 in its sysroot.
    OnPath,
    /// Debian's cargo, which has std as source only and builds it first.
    Debian,
}

impl Toolchain {
    /// The words of the `wasm` step.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Toolchain::OnPath => "the compiler on PATH",
            Toolchain::Debian => "Debian's compiler",
        }
    }

    /// How long a person waits the first time, on two slow cores.
    pub(crate) fn first_compile(self) -> &'static str {
        match self {
            Toolchain::OnPath => "about half a minute",
            Toolchain::Debian => "a minute or two, Rust's std included",
        }
    }

    /// A target folder of its own: two compilers never share a cache.
    pub(crate) fn target_dir(self) -> &'static str {
        match self {
            Toolchain::OnPath => "target/wasm",
            Toolchain::Debian => "target/wasm-debian",
        }
    }

    /// `cargo build` for the target, ready for more arguments.
    pub(crate) fn cargo_build(self) -> Command {
        let mut command = match self {
            Toolchain::OnPath => Command::new("cargo"),
            Toolchain::Debian => Command::new("/usr/bin/cargo"),
        };
        command.args(["build", "--target", TARGET]);
        if self == Toolchain::Debian {
            separate_from_rustup(&mut command);
            // -Z is for nightly compilers; RUSTC_BOOTSTRAP lets this stable one take it.
            command
                .env("RUSTC_BOOTSTRAP", "1")
                .args(["-Z", "build-std=std,panic_abort"]);
            command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld");
        }
        command
    }

    /// Where this compiler's own files stand.
    pub(crate) fn sysroot(self) -> Option<String> {
        let mut rustc = match self {
            Toolchain::OnPath => Command::new("rustc"),
            Toolchain::Debian => Command::new("/usr/bin/rustc"),
        };
        if self == Toolchain::Debian {
            separate_from_rustup(&mut rustc);
        }
        shell::ask(rustc.args(["--print", "sysroot"]))
    }
}

/// What rustup and cargo put into the environment of `cargo xtask` belongs to another compiler.
fn separate_from_rustup(command: &mut Command) {
    const THEIRS: [&str; 9] = [
        "RUSTUP_TOOLCHAIN",
        "RUSTC",
        "RUSTDOC",
        "CARGO",
        "LD_LIBRARY_PATH",
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
    ];
    for name in THEIRS {
        command.env_remove(name);
    }
    command.env("PATH", "/usr/bin:/bin");
}

/// Everything the choice depends on.
#[derive(Clone, Copy, Debug, Default)]
struct Facts {
    /// The person's own choice, by environment variable.
    forced: Option<Toolchain>,
    std_on_path: bool,
    /// rustup is there and was not asked in vain in this run.
    can_add_target: bool,
    /// `rustup target add` failed for this very compiler in an earlier run.
    add_target_failed_before: bool,
    debian_present: bool,
    /// Root and apt are there, and were not asked in vain in this run.
    can_install_debian: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Move {
    Use(Toolchain),
    AddTarget,
    InstallDebian,
    GiveUp,
}

/// The order of the ways. A failed `rustup target add` can cost many seconds of network patience,
/// so it is asked again only when nothing else is at hand: not while Debian's packages are present.
fn next_move(facts: &Facts) -> Move {
    let path_allowed = facts.forced != Some(Toolchain::Debian);
    let debian_allowed = facts.forced != Some(Toolchain::OnPath);
    let debian_ready = debian_allowed && facts.debian_present;
    if path_allowed && facts.std_on_path {
        return Move::Use(Toolchain::OnPath);
    }
    if path_allowed && facts.can_add_target && !(facts.add_target_failed_before && debian_ready) {
        return Move::AddTarget;
    }
    if debian_ready {
        return Move::Use(Toolchain::Debian);
    }
    if debian_allowed && facts.can_install_debian {
        return Move::InstallDebian;
    }
    Move::GiveUp
}

/// Finds a compiler for the wasm, or gets one.
pub(crate) fn choose(ws: &Workspace) -> Result<Toolchain> {
    let failed_note = ws.note("target-add-failed");
    let version = shell::ask(Command::new("rustc").arg("-V")).unwrap_or_default();
    let mut facts = Facts {
        forced: forced()?,
        std_on_path: is_std_on_path(),
        can_add_target: shell::find_on_path(&["rustup", "rustup.exe"]).is_some(),
        add_target_failed_before: stamp::is_current(&failed_note, &version),
        debian_present: is_debian_present(),
        can_install_debian: shell::is_root_with_apt(),
    };
    loop {
        match next_move(&facts) {
            Move::Use(toolchain) => return Ok(toolchain),
            Move::AddTarget => {
                attempt("toolchain", "rustup has the target", add_target)?;
                facts.can_add_target = false;
                facts.std_on_path = is_std_on_path();
                if !facts.std_on_path {
                    stamp::write_if_changed(&failed_note, &version)?;
                }
            }
            Move::InstallDebian => {
                attempt(
                    "toolchain",
                    "Debian's packages are installed",
                    install_debian,
                )?;
                facts.can_install_debian = false;
                facts.debian_present = is_debian_present();
            }
            Move::GiveUp => return Err(no_way()),
        }
    }
}

/// Does a step that may fail: the next way is taken then.
fn attempt(name: &str, done: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    step(name, || {
        Ok(match work() {
            Ok(()) => done.to_owned(),
            Err(error) => {
                eprintln!("  {error}");
                "no: trying the next way".to_owned()
            }
        })
    })
}

fn add_target() -> Result<()> {
    shell::run(Command::new("rustup").args(["target", "add", TARGET]))
}

fn install_debian() -> Result<()> {
    println!("  Debian's compiler is installed, which takes about half a minute");
    shell::apt_install(&DEBIAN_PACKAGES)
}

fn forced() -> Result<Option<Toolchain>> {
    let Some(value) = env::var_os(FORCE) else {
        return Ok(None);
    };
    match value.to_string_lossy().as_ref() {
        "" => Ok(None),
        "rustup" => Ok(Some(Toolchain::OnPath)),
        "debian" => Ok(Some(Toolchain::Debian)),
        other => Err(Error::Usage(format!(
            "{FORCE} is `rustup` or `debian`, and it is `{other}`"
        ))),
    }
}

fn is_std_on_path() -> bool {
    let libdir =
        shell::ask(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]));
    libdir.is_some_and(|dir| {
        std::fs::read_dir(dir).is_ok_and(|entries| {
            entries
                .flatten()
                .any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-"))
        })
    })
}

fn is_debian_present() -> bool {
    DEBIAN_FILES.iter().all(|file| Path::new(file).exists())
}

fn no_way() -> Error {
    Error::Lacking {
        what: format!("the page's wasm needs Rust's std for {TARGET}, and no compiler here has it"),
        way_out: format!(
            "run `rustup target add {TARGET}`, or on Debian, as root, `apt-get update && apt-get install -y \
             --no-install-recommends {}`",
            DEBIAN_PACKAGES.join(" ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row's letters: s std on PATH, r rustup, x it failed before, d Debian's packages present,
    /// a root and apt.
    fn facts(letters: &str, forced: Option<Toolchain>) -> Facts {
        let has = |letter| letters.contains(letter);
        Facts {
            forced,
            std_on_path: has('s'),
            can_add_target: has('r'),
            add_target_failed_before: has('x'),
            debian_present: has('d'),
            can_install_debian: has('a'),
        }
    }

    #[test]
    fn the_ways_are_tried_in_order() {
        use Move::{AddTarget, GiveUp, InstallDebian, Use};
        use Toolchain::{Debian, OnPath};
        let table = [
            ("srda", None, Use(OnPath)),
            ("rda", None, AddTarget),
            ("rxda", None, Use(Debian)),
            ("rxa", None, AddTarget),
            ("rx", None, AddTarget),
            ("da", None, Use(Debian)),
            ("a", None, InstallDebian),
            ("", None, GiveUp),
            ("srda", Some(Debian), Use(Debian)),
            ("sra", Some(Debian), InstallDebian),
            ("sr", Some(Debian), GiveUp),
            ("rxda", Some(OnPath), AddTarget),
            ("da", Some(OnPath), GiveUp),
            ("sda", Some(OnPath), Use(OnPath)),
        ];
        for (letters, forced, expected) in table {
            assert_eq!(
                next_move(&facts(letters, forced)),
                expected,
                "facts `{letters}`, forced {forced:?}"
            );
        }
    }

    #[test]
    fn giving_up_names_both_commands() {
        let text = no_way().to_string();
        assert!(
            text.contains("rustup target add wasm32-unknown-unknown"),
            "{text}"
        );
        assert!(text.contains("rust-web-src rust-web-llvm lld"), "{text}");
    }

    #[test]
    fn debians_cargo_is_told_nothing_of_rustup() {
        let command = Toolchain::Debian.cargo_build();
        let removed = |name: &str| {
            command
                .get_envs()
                .any(|(key, value)| key == name && value.is_none())
        };
        assert!(removed("RUSTUP_TOOLCHAIN") && removed("RUSTFLAGS") && removed("RUSTC"));
        assert!(shell::told(&command).ends_with("-Z build-std=std,panic_abort"));
    }
}
