//! From the crates to the page's wasm module and its bindings.
//!
//! Knows: how the module is compiled, how wasm-bindgen is called as a library, and that no path of
//! the machine may end up in it. Does not know: which compiler there is, nor what the module does.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use wasm_bindgen_cli_support::Bindgen;

use crate::error::{Error, Result};
use crate::shell;
use crate::stamp;
use crate::toolchain::{TARGET, Toolchain};
use crate::workspace::Workspace;

/// The package that becomes the module.
pub(crate) const DOOR: &str = "fencepost-wasm";
const MODULE: &str = "fencepost_wasm";

/// Compiles one package for the page.
pub(crate) fn compile(ws: &Workspace, toolchain: Toolchain, package: &str) -> Result<String> {
    let mut command = toolchain.cargo_build();
    if Path::new(toolchain.target_dir()).exists() {
        command.arg("--quiet");
    } else {
        println!("  a first compile takes {}", toolchain.first_compile());
    }
    command.args(["--profile", "wasm", "--lib", "--package", package]);
    command.arg("--target-dir").arg(toolchain.target_dir());
    command.env(
        "CARGO_ENCODED_RUSTFLAGS",
        remap_flags(&remapped_folders(ws, toolchain)),
    );
    shell::run(&mut command)?;
    Ok(format!("{package} by {}", toolchain.name()))
}

/// Makes the JavaScript, its types and the final module out of what [`compile`] left.
pub(crate) fn bind(ws: &Workspace, toolchain: Toolchain) -> Result<String> {
    let input = Path::new(toolchain.target_dir())
        .join(TARGET)
        .join("wasm")
        .join(format!("{MODULE}.wasm"));
    let folder = ws.generated().join("wasm");
    let module = folder.join(format!("{MODULE}_bg.wasm"));
    let stamp = ws.note("bindings");
    let fingerprint = stamp::of_file(&input)?;
    let unchanged = stamp::is_current(&stamp, &fingerprint) && module.exists();
    if !unchanged {
        stamp::remove(&stamp)?;
        stamp::remove(&folder)?;
        generate(&input, &folder)?;
        refuse_paths(&stamp::read(&module)?, &remapped_folders(ws, toolchain))?;
        stamp::write_if_changed(&stamp, &fingerprint)?;
    }
    let kilobytes = stamp::read(&module)?.len() / 1000;
    Ok(format!(
        "{kilobytes} kB of wasm, {}",
        if unchanged { "unchanged" } else { "written" }
    ))
}

fn generate(input: &Path, folder: &Path) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(input)
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true);
    bindgen
        .web(true)
        .and_then(|bindgen| bindgen.generate(folder))
        .map_err(|error| Error::Bindings(format!("{error:#}")))
}

/// The folders of this machine that a compiler may write down, and what it is to write instead.
/// A later one wins over an earlier one.
fn remapped_folders(ws: &Workspace, toolchain: Toolchain) -> Vec<(PathBuf, &'static str)> {
    let mut folders = Vec::new();
    if let Some(cargo_home) = cargo_home() {
        // One folder for each registry, named after the registry: both names are nobody's business.
        let sources = fs::read_dir(cargo_home.join("registry/src"))
            .into_iter()
            .flatten()
            .flatten();
        let registries: Vec<_> = sources.map(|entry| (entry.path(), "crates")).collect();
        folders.push((cargo_home, "cargo"));
        folders.extend(registries);
    }
    if let Some(sysroot) = toolchain.sysroot() {
        folders.push((PathBuf::from(sysroot).join("lib/rustlib"), "rust"));
    }
    if toolchain == Toolchain::Debian {
        folders.push((PathBuf::from("/usr/src"), "rust"));
    }
    folders.push((ws.root().to_path_buf(), "fencepost"));
    folders
}

fn cargo_home() -> Option<PathBuf> {
    env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(env::home_dir()?.join(".cargo")))
}

/// Cargo's form for flags that may hold spaces.
fn remap_flags(folders: &[(PathBuf, &str)]) -> String {
    let flags = folders
        .iter()
        .map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()));
    flags.collect::<Vec<_>>().join("\u{1f}")
}

/// What the remapping is for, checked on the result.
fn refuse_paths(wasm: &[u8], folders: &[(PathBuf, &str)]) -> Result<()> {
    let holds = |path: &str| {
        wasm.windows(path.len())
            .any(|window| window == path.as_bytes())
    };
    let mut paths = folders
        .iter()
        .map(|(folder, _)| format!("{}/", folder.display()));
    match paths.find(|path| holds(path)) {
        Some(path) => Err(Error::PathInWasm { path }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_in_the_module_is_refused() {
        let folders = [(PathBuf::from("/home/ann/fencepost"), "fencepost")];
        let error = refuse_paths(
            b"\0asm..panicked at /home/ann/fencepost/core/src/lib.rs",
            &folders,
        );
        assert!(error.is_err_and(|error| error.to_string().contains("/home/ann/fencepost/")));
        assert!(refuse_paths(b"\0asm..panicked at fencepost/core/src/lib.rs", &folders).is_ok());
    }

    #[test]
    fn flags_are_joined_as_cargo_splits_them() {
        let folders = [("/a b".into(), "x"), ("/c".into(), "y")];
        assert_eq!(
            remap_flags(&folders),
            "--remap-path-prefix=/a b=x\u{1f}--remap-path-prefix=/c=y"
        );
    }
}
