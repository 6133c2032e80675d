//! Runs the built command in a folder of its own.

#![allow(dead_code)] // every test uses a part of it

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder that disappears with the test.
pub struct Folder(pub PathBuf);

/// What a command said, and how it ended.
#[derive(Debug)]
pub struct Said {
    /// Exit code; -1 if a signal ended it.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// An example of the repository.
pub fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(format!("{name}.toml"));
    path.display().to_string()
}

/// A model of a paper.
pub fn paper(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../papers").join(format!("{name}.toml"));
    path.display().to_string()
}

impl Folder {
    /// An empty folder.
    pub fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("carom-cli-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    /// True if a file exists.
    pub fn has(&self, name: &str) -> bool {
        self.0.join(name).is_file()
    }

    /// Runs `carom` here.
    pub fn carom(&self, args: &[&str]) -> Said {
        let output = Command::new(env!("CARGO_BIN_EXE_carom")).args(args).current_dir(&self.0).output().unwrap();
        Said {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Said {
    /// Holds if the command ended with `code` and panicked nowhere.
    pub fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        assert!(!self.err.contains("panicked"), "{self:?}");
        self
    }

    /// The one object on standard output.
    pub fn json(&self) -> serde_json::Value {
        assert_eq!(self.out.trim_end().lines().count(), 1, "one line: {}", self.out);
        serde_json::from_str(&self.out).unwrap()
    }
}
