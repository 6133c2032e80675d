//! The journal of a study: what was evaluated, line by line, so that nothing is lost and nothing is computed twice.
//!
//! ```text
//! evaluations.jsonl    {"journal": 1, "study": {...}}                                what the evaluations belong to
//!                      {"number": 0, "phase": "initial", "design": [..], "cost": .., "slope": [..], ...}
//! traces/00000.f64     what evaluations at neighbouring designs begin with: numbers of 8 bytes, little endian
//! ```
//!
//! A line is written, and flushed, when an evaluation is done; its trace is written before. Lines stand in the order in which
//! evaluations were completed; their numbers say in which order they were asked for. A last line that is not complete is left out.

use crate::error::DesignError;
use crate::objective::Ask;
use crate::study::Sample;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Version of the format.
const VERSION: u64 = 1;
/// Name of the file.
const FILE: &str = "evaluations.jsonl";
/// Folder of the traces.
const TRACES: &str = "traces";
/// Journals that another one replaces are kept in folders of this name and a number.
const EARLIER: &str = "earlier";

/// What was evaluated.
#[derive(Debug, Default)]
pub struct Journal {
    /// Where it is written; nowhere if absent.
    place: Option<(PathBuf, File)>,
    known: BTreeMap<usize, Sample>,
}

impl Journal {
    /// A journal that is kept nowhere.
    pub fn in_memory() -> Self {
        Self::default()
    }

    /// A journal of evaluations that are known, for instance those of another one.
    pub fn of(samples: impl IntoIterator<Item = Sample>) -> Self {
        Self { place: None, known: samples.into_iter().map(|sample| (sample.number, sample)).collect() }
    }

    /// Begins a new journal in a folder, in the place of an older one. `study` says what it belongs to.
    pub fn create(folder: &Path, study: &Value) -> Result<Self, DesignError> {
        let traces = folder.join(TRACES);
        if traces.exists() {
            fs::remove_dir_all(&traces).map_err(|error| failed(&traces, "removed", &error))?;
        }
        fs::create_dir_all(&traces).map_err(|error| failed(&traces, "created", &error))?;
        let path = folder.join(FILE);
        let mut file = File::create(&path).map_err(|error| failed(&path, "written", &error))?;
        let head = json!({ "journal": VERSION, "study": study });
        writeln!(file, "{head}").map_err(|error| failed(&path, "written", &error))?;
        Ok(Self { place: Some((folder.to_owned(), file)), known: BTreeMap::new() })
    }

    /// Moves the journal of a folder to a folder inside it, where it can be resumed, and says where; none if there are no
    /// evaluations in it.
    pub fn set_aside(folder: &Path) -> Result<Option<PathBuf>, DesignError> {
        let path = folder.join(FILE);
        if !path.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(&path).map_err(|error| failed(&path, "read", &error))?;
        // The first line says what the others belong to.
        if text.lines().count() < 2 {
            return Ok(None);
        }
        let mut numbers = 1..;
        let place = numbers.find_map(|k| Some(folder.join(format!("{EARLIER}-{k}"))).filter(|place| !place.exists()));
        let Some(place) = place else { return Ok(None) };
        fs::create_dir_all(&place).map_err(|error| failed(&place, "created", &error))?;
        for name in [FILE, TRACES] {
            let (from, to) = (folder.join(name), place.join(name));
            if from.exists() {
                fs::rename(&from, &to).map_err(|error| failed(&from, "moved", &error))?;
            }
        }
        Ok(Some(place))
    }

    /// Goes on with the journal of a folder; begins one if there is none.
    pub fn resume(folder: &Path, study: &Value) -> Result<Self, DesignError> {
        let path = folder.join(FILE);
        if !path.exists() {
            return Self::create(folder, study);
        }
        let text = fs::read_to_string(&path).map_err(|error| failed(&path, "read", &error))?;
        // What the last line lacks, if anything, was never written.
        let complete = text.rfind('\n').map_or("", |end| &text[..=end]);
        let mut known = BTreeMap::new();
        for (index, line) in complete.lines().enumerate() {
            let wrong = |why: String| DesignError::Journal { path: path.clone(), line: index + 1, why };
            let value: Value = serde_json::from_str(line).map_err(|error| wrong(format!("no JSON: {error}")))?;
            if index == 0 {
                check_head(&value, study).map_err(wrong)?;
                continue;
            }
            let mut sample = read(&value).ok_or_else(|| wrong("this is no evaluation".to_owned()))?;
            let length = value["trace"].as_u64().unwrap_or(0);
            match read_trace(&trace_path(folder, sample.number), length) {
                Some(trace) => sample.trace = trace,
                // Without its trace it is computed again.
                None => continue,
            }
            known.insert(sample.number, sample);
        }
        let file = OpenOptions::new().append(true).open(&path).map_err(|error| failed(&path, "written", &error))?;
        file.set_len(complete.len() as u64).map_err(|error| failed(&path, "written", &error))?;
        if complete.is_empty() {
            return Self::create(folder, study);
        }
        Ok(Self { place: Some((folder.to_owned(), file)), known })
    }

    /// Number of evaluations that are known.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// True if nothing is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// True if the evaluation with this number is written.
    pub(crate) fn has(&self, number: usize) -> bool {
        self.known.contains_key(&number)
    }

    /// The evaluation with this number, if it is known; it must be the one that is asked for.
    pub(crate) fn known(&self, number: usize, ask: &Ask) -> Result<Option<Sample>, DesignError> {
        let Some(sample) = self.known.get(&number) else { return Ok(None) };
        match ask {
            Ask::At(design) if *design != sample.design => Err(DesignError::OtherStudy {
                path: self.place.as_ref().map(|(folder, _)| folder.join(FILE)).unwrap_or_default(),
                number,
                asked: format!("{design:?}"),
                known: format!("{:?}", sample.design),
            }),
            _ => Ok(Some(Sample { is_cached: true, ..sample.clone() })),
        }
    }

    /// Writes an evaluation.
    pub(crate) fn append(&mut self, sample: &Sample) -> Result<(), DesignError> {
        self.known.insert(sample.number, sample.clone());
        let Some((folder, file)) = &mut self.place else { return Ok(()) };
        if !sample.trace.is_empty() {
            let path = trace_path(folder, sample.number);
            let bytes: Vec<u8> = sample.trace.iter().flat_map(|number| number.to_le_bytes()).collect();
            fs::write(&path, bytes).map_err(|error| failed(&path, "written", &error))?;
        }
        let path = folder.join(FILE);
        let line = format!("{}\n", line(sample));
        file.write_all(line.as_bytes()).and_then(|()| file.flush()).map_err(|error| failed(&path, "written", &error))
    }
}

fn check_head(head: &Value, study: &Value) -> Result<(), String> {
    if head["journal"].as_u64() != Some(VERSION) {
        return Err("this is not the journal of a study".to_owned());
    }
    if head["study"] == *study {
        return Ok(());
    }
    let (before, now) = (head["study"].as_object(), study.as_object());
    let differs =
        now.into_iter().flatten().find(|(key, value)| before.and_then(|object| object.get(*key)) != Some(value));
    let what = differs.map_or("something", |(key, _)| key.as_str());
    Err(format!("it belongs to another study: `{what}` is not the same"))
}

/// An evaluation as JSON, without its trace.
fn line(sample: &Sample) -> Value {
    let Sample { number, phase, design, cost, slope, solves, iterations, note, seconds, trace, .. } = sample;
    json!({
        "number": number, "phase": phase, "design": design, "cost": cost, "slope": slope, "solves": solves,
        "iterations": iterations, "note": note, "wall_s": seconds, "trace": trace.len(),
    })
}

fn read(value: &Value) -> Option<Sample> {
    let count = |key: &str| value[key].as_u64().map(|number| number as usize);
    let numbers = |key: &str| value[key].as_array()?.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>();
    Some(Sample {
        number: count("number")?,
        phase: value["phase"].as_str()?.to_owned(),
        design: numbers("design")?,
        cost: value["cost"].as_f64(),
        slope: numbers("slope")?,
        solves: count("solves")?,
        iterations: count("iterations")?,
        note: value["note"].as_str()?.to_owned(),
        seconds: value["wall_s"].as_f64()?,
        is_cached: true,
        trace: Vec::new(),
    })
}

fn trace_path(folder: &Path, number: usize) -> PathBuf {
    folder.join(TRACES).join(format!("{number:05}.f64"))
}

fn read_trace(path: &Path, length: u64) -> Option<Vec<f64>> {
    if length == 0 {
        return Some(Vec::new());
    }
    let bytes = fs::read(path).ok().filter(|bytes| bytes.len() as u64 == 8 * length)?;
    let number = |bytes: &[u8]| bytes.try_into().ok().map(f64::from_le_bytes);
    bytes.chunks(8).map(number).collect()
}

fn failed(path: &Path, action: &'static str, error: &std::io::Error) -> DesignError {
    DesignError::File { path: path.to_owned(), action, why: error.to_string() }
}
