//! Study files: what they mean, and what is refused.

use carom_design::StudyFile;
use std::path::PathBuf;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-design-files-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const PROBLEM: &str = r#"
[model]
lagrangian = "0.5*m*x'^2"
parameters = { m = 1.0, twice = "2*m" }
coordinates = { x = 0 }
inputs = { u = 0 }
forces = { x = "u" }
[phases.move]
duration = 1.0
start = { x = 0, "x'" = 0 }
end = { x = 1, "x'" = 0 }
[costs]
effort = { integral = "u^2" }
"#;

const STUDY: &str = r#"
problem = "block.toml"
method = "smf"
seed = 7
[variables]
mass = { range = ["1/2", 2], parameter = "m", unit = "kg" }
[smf]
initial = [[0.6], 1.5]
mesh = 0.125
"#;

#[test]
fn settings_belong_to_their_method() {
    let folder = Folder::new("settings");
    folder.write("block.toml", PROBLEM);
    let mut file = StudyFile::read(&folder.write("study.toml", STUDY), &[]).unwrap();
    let study = &file.study;
    assert_eq!((study.name.as_str(), study.method.as_str(), study.seed), ("study", "smf", 7));
    assert_eq!((study.variables[0].lower, study.variables[0].upper), (0.5, 2.0));
    assert_eq!((&study.options.designs, study.options.mesh), (&vec![vec![0.6], vec![1.5]], 0.125));
    let identity = file.identity();
    file.set_method("kriging").unwrap();
    assert!(file.study.options.designs.is_empty());
    assert_ne!(file.identity(), identity);
    assert!(file.set_method("nelder").is_err());
}

#[test]
fn numbers_that_depend_on_the_design_are_refused() {
    let folder = Folder::new("numbers");
    let study = folder.write("study.toml", STUDY);
    for number in ["m", "twice"] {
        folder.write("block.toml", &PROBLEM.replace("duration = 1.0", &format!("duration = \"{number}\"")));
        let found = StudyFile::read(&study, &[]).unwrap_err();
        assert!(found.0[0].message.contains(&format!("`{number}` is to be found, so it is no number")), "{found}");
        assert!(found.0[0].file.ends_with("block.toml") && found.0[0].line == 9, "{found}");
    }
}

#[test]
fn problems_that_are_more_than_one_mesh_are_refused() {
    let folder = Folder::new("mesh");
    let study = folder.write("study.toml", STUDY);
    folder.write("block.toml", &format!("accuracy = 1e-6\n{PROBLEM}"));
    let found = StudyFile::read(&study, &[]).unwrap_err();
    assert!(found.0[0].message.contains("`accuracy`") && found.0[0].line == 2, "{found}");
}

#[test]
fn all_mistakes_are_told_at_once() {
    let folder = Folder::new("mistakes");
    folder.write("block.toml", PROBLEM);
    let wrong = STUDY.replace("seed = 7", "seed = 0").replace("\"1/2\"", "\"1/z\"").replace("mesh = 0.125", "mesh = 2");
    let found = StudyFile::read(&folder.write("study.toml", &wrong), &[]).unwrap_err();
    let lines: Vec<usize> = found.0.iter().map(|remark| remark.line).collect();
    assert!([4, 6, 9].iter().all(|line| lines.contains(line)), "{found}");
}
