//! Telling whether something changed since last time, by content and never by date.
//!
//! Knows: fingerprints of files and folders, files written only when they differ, and stamps (a
//! file that holds the fingerprint of the last success). Does not know: what anything means.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// A fingerprint of some content. Good for telling a change, not for telling a forger.
pub(crate) fn of_bytes(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    format!("{:016x}", hasher.finish())
}

/// A fingerprint of one file's content.
pub(crate) fn of_file(path: &Path) -> Result<String> {
    Ok(of_bytes(&read(path)?))
}

/// A fingerprint of every file below a folder, names included, but for entries called `skipped`.
pub(crate) fn of_folder(folder: &Path, skipped: &[&str]) -> Result<String> {
    let mut files = Vec::new();
    collect(folder, skipped, &mut files).map_err(|cause| file_error("reading", folder, cause))?;
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        hasher.write(
            file.strip_prefix(folder)
                .unwrap_or(&file)
                .to_string_lossy()
                .as_bytes(),
        );
        hasher.write(&[0]);
        hasher.write(&read(&file)?);
        hasher.write(&[0]);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// Whether the stamp says that the last success had this fingerprint.
pub(crate) fn is_current(stamp: &Path, fingerprint: &str) -> bool {
    fs::read_to_string(stamp).is_ok_and(|last| last == fingerprint)
}

/// Writes a file, and says whether that was needed: an unchanged file keeps its date.
pub(crate) fn write_if_changed(path: &Path, content: &str) -> Result<bool> {
    if is_current(path, content) {
        return Ok(false);
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|cause| file_error("creating", folder, cause))?;
    }
    fs::write(path, content).map_err(|cause| file_error("writing", path, cause))?;
    Ok(true)
}

/// Reads a whole file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|cause| file_error("reading", path, cause))
}

/// Removes a file or a folder with everything in it; one that is not there is fine.
pub(crate) fn remove(path: &Path) -> Result<()> {
    let removed = if path.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
    match removed {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
            Err(file_error("removing", path, cause))
        }
        _ => Ok(()),
    }
}

fn file_error(doing: &'static str, path: &Path, cause: io::Error) -> Error {
    Error::File {
        doing,
        path: path.to_path_buf(),
        cause,
    }
}

fn collect(folder: &Path, skipped: &[&str], files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if skipped.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), skipped, files)?;
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("fencepost-xtask-{}-{name}", std::process::id()));
        remove(&folder).unwrap();
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_folder_changes_with_its_content_and_its_names() {
        let folder = scratch("folder");
        let mut seen = Vec::new();
        let mut look = || seen.push(of_folder(&folder, &["node_modules"]).unwrap());
        look();
        write_if_changed(&folder.join("a/one"), "1").unwrap();
        look();
        write_if_changed(&folder.join("a/one"), "2").unwrap();
        look();
        fs::rename(folder.join("a/one"), folder.join("a/two")).unwrap();
        look();
        let different: std::collections::BTreeSet<_> = seen.iter().collect();
        assert_eq!(different.len(), 4, "each change shows: {seen:?}");
        write_if_changed(&folder.join("node_modules/x"), "").unwrap();
        assert_eq!(
            of_folder(&folder, &["node_modules"]).unwrap(),
            seen[3],
            "what is skipped does not count"
        );
        remove(&folder).unwrap();
    }

    #[test]
    fn an_unchanged_file_is_left_alone() {
        let folder = scratch("file");
        let file = folder.join("deep/er/types.ts");
        assert!(write_if_changed(&file, "a").unwrap());
        assert!(!write_if_changed(&file, "a").unwrap());
        assert!(write_if_changed(&file, "b").unwrap());
        assert!(is_current(&file, "b"));
        remove(&folder).unwrap();
        remove(&folder).unwrap();
        assert!(!is_current(&file, "b"));
    }
}
