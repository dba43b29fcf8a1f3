//! The promises about the code itself: what each room deliberately does not know.

use std::fs;
use std::path::{Path, PathBuf};

/// No file grows past this without a reason that is written here.
const LINES_MAX: usize = 350;

fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests
        .parent()
        .expect("tests/ is in the workspace")
        .to_path_buf()
}

fn sources(room: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(room)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a room is a folder") {
            let path = entry.expect("its entries are readable").path();
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if path.is_dir() && !matches!(name.as_str(), "target" | "node_modules") {
                folders.push(path);
            } else if name.ends_with(".rs") {
                let text = fs::read_to_string(&path).expect("sources are text");
                found.push((path, text));
            }
        }
    }
    assert!(!found.is_empty(), "{room} has sources");
    found
}

/// Code without comments and without its unit tests.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn core_has_no_clock_no_thread_no_file_no_socket_and_no_map_of_its_own_order() {
    let absent = [
        "std::",
        "Instant",
        "SystemTime",
        "thread",
        "File",
        "TcpStream",
        "TcpListener",
        "UdpSocket",
        "HashMap",
        "HashSet",
        "f32",
        "f64",
        "unsafe {",
        "static mut",
        "println!",
    ];
    for (path, text) in sources("core/src") {
        // The types' printer runs natively, at build time, and is not part of the machine.
        if path.ends_with("typescript.rs") {
            continue;
        }
        for word in absent {
            let found = code(&text).contains(word);
            assert!(!found, "{}: core must not know `{word}`", path.display());
        }
    }
}

#[test]
fn core_is_no_std_unless_it_prints_types() {
    let lib = fs::read_to_string(root().join("core/src/lib.rs")).expect("core has a lib.rs");
    assert!(lib.contains("#![cfg_attr(not(feature = \"typescript\"), no_std)]"));
    // Each of these works without std: text, hashing, and JSON, and nothing that reaches outside.
    let known = [
        "base64",
        "compact_str",
        "foldhash",
        "hashbrown",
        "serde",
        "serde_json",
        "ts-rs",
    ];
    let manifest = fs::read_to_string(root().join("core/Cargo.toml")).expect("core has a manifest");
    let section = manifest
        .split("\n[dependencies]\n")
        .nth(1)
        .unwrap_or_default();
    let lines = section.lines().take_while(|line| !line.is_empty());
    let names: Vec<&str> = lines
        .map(|line| line.split(['.', ' ']).next().unwrap_or_default())
        .collect();
    assert_eq!(names, known);
}

/// lib.rs names the modules in reading order, and each uses only those above it.
#[test]
fn a_module_of_core_uses_only_those_above_it() {
    let lib = fs::read_to_string(root().join("core/src/lib.rs")).expect("core has a lib.rs");
    let order: Vec<&str> = lib
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .collect();
    assert!(order.len() >= 10, "{order:?}");
    let base = root().join("core/src");
    for (path, text) in sources("core/src") {
        let inside = path.strip_prefix(&base).expect("inside core/src");
        let first = inside
            .components()
            .next()
            .expect("a name")
            .as_os_str()
            .to_string_lossy()
            .into_owned();
        let module = first.trim_end_matches(".rs");
        let Some(own) = order.iter().position(|name| *name == module) else {
            continue;
        };
        if module == "typescript" {
            continue;
        }
        for used in code(&text).split("crate::").skip(1) {
            let used: String = used
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            let place = order.iter().position(|name| *name == used);
            assert!(
                place.is_some_and(|place| place <= own),
                "{}: {module} uses {used}",
                inside.display()
            );
        }
    }
}

/// Each rule names the test that guards it, and there is such a test.
#[test]
fn every_rule_has_its_sentence_and_its_test() {
    let rules = fs::read_to_string(root().join("core/src/rules.rs")).expect("core has rules");
    let body = rules
        .split("pub trait Rules")
        .nth(1)
        .expect("the trait")
        .split("\n}\n")
        .next()
        .expect("its end");
    let mut count = 0;
    for (before, _) in body
        .match_indices("\n    fn ")
        .map(|(at, _)| body.split_at(at))
    {
        let line = before.lines().last().unwrap_or_default();
        let guard = line
            .trim()
            .strip_prefix("/// Guarded by `")
            .and_then(|rest| rest.strip_suffix("`."));
        let (file, test) = guard.and_then(|guard| guard.split_once("::")).expect(line);
        let tests = fs::read_to_string(root().join(format!("tests/{file}.rs"))).expect(file);
        assert!(
            tests.contains(&format!("#[test]\nfn {test}()")),
            "{file}::{test} is a test"
        );
        count += 1;
    }
    assert_eq!(
        count, 21,
        "a rule came or went: say here how many there are"
    );
}

#[test]
fn only_state_changes_the_state() {
    for (path, text) in sources("core/src") {
        let code = code(&text);
        let holds = path.ends_with("queue.rs")
            && path.parent().is_some_and(|parent| parent.ends_with("src"));
        let inside =
            path.components().any(|part| part.as_os_str() == "state") || path.ends_with("state.rs");
        if !inside && !holds {
            assert!(!code.contains("&mut State"), "{}", path.display());
            assert!(!code.contains(".apply("), "{}", path.display());
        }
    }
}

#[test]
fn the_client_does_not_know_core() {
    let manifest =
        fs::read_to_string(root().join("client/Cargo.toml")).expect("client has a manifest");
    assert!(!manifest.contains("fencepost-core"));
    let section = manifest.split("[dependencies]").nth(1).unwrap_or_default();
    let dependencies = section.split("\n[").next().unwrap_or_default();
    assert_eq!(dependencies.trim(), "", "the client is std only");
}

#[test]
fn every_file_says_what_it_knows_and_none_is_swollen() {
    for room in [
        "core/src",
        "wasm/src",
        "client/src",
        "native/src",
        "tests",
        "xtask/src",
    ] {
        for (path, text) in sources(room) {
            assert!(
                text.starts_with("//! "),
                "{} opens with what it is",
                path.display()
            );
            let lines = text.lines().count();
            assert!(
                lines <= LINES_MAX,
                "{} has {lines} lines: split it by step of the data flow",
                path.display()
            );
        }
    }
}

#[test]
fn the_readme_keeps_its_promises() {
    let readme = fs::read_to_string(root().join("README.md")).expect("there is a README");
    for words in [
        "cargo xtask play",
        "cargo xtask test",
        "decide",
        "append",
        "apply",
        "look",
        "docs/walkthrough.png",
    ] {
        assert!(readme.contains(words), "the README names {words}");
    }
    assert!(
        root().join("docs/walkthrough.png").is_file(),
        "the screenshot is there"
    );
    for room in ["core", "wasm", "web", "client", "native", "tests", "xtask"] {
        assert!(
            readme.contains(&format!("`{room}/`")),
            "the README's map names {room}/"
        );
    }
}
