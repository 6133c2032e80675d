//! Sweeps as JSON.
//!
//! ```json
//! {"carom": "0.1.0", "kind": "simulation", "file": "ball.toml", "text": "...", "beside": {}, "set": {"g": "9.8"},
//!  "points": {"grid": [{"name": "e", "from": 0, "to": 1, "count": 5}, {"name": "y", "values": [1, 2]}]},
//!  "measures": [{"name": "top", "formula": "y", "over": "largest"}], "part_rows": 10}
//! ```
//!
//! Random points are `{"random": {"count": 100, "seed": 1, "over": [{"name": "e", "from": 0, "to": 1}]}}`, tables
//! `{"table": [{"name": "e", "values": [0.1, 0.2]}]}`. A range may have `"log": true`.

use crate::axis::{Axis, Range, Values};
use crate::{Kind, NamedMeasure, Points, Sweep, SweepError};
use carom_run::{Measure, Over};
use serde_json::{Map, Value, json};

/// Who computes: another version may compute other bits.
const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(crate) fn write(sweep: &Sweep) -> Value {
    let measure = |own: &NamedMeasure| json!({ "name": own.name, "formula": own.measure.formula, "over": own.measure.over.name() });
    let texts = |pairs: &[(String, String)]| -> Map<String, Value> {
        pairs.iter().map(|(name, text)| (name.clone(), text.as_str().into())).collect()
    };
    json!({
        "carom": VERSION,
        "kind": sweep.kind.name(),
        "file": sweep.file,
        "text": sweep.text,
        "beside": texts(&sweep.beside),
        "set": texts(&sweep.set),
        "points": points(&sweep.points),
        "measures": sweep.measures.iter().map(measure).collect::<Vec<_>>(),
        "part_rows": sweep.part_rows,
    })
}

fn points(points: &Points) -> Value {
    let axes: Vec<Value> = points.axes().iter().map(axis).collect();
    match points {
        Points::Grid(_) => json!({ "grid": axes }),
        Points::Table(_) => json!({ "table": axes }),
        Points::Random { count, seed, .. } => json!({ "random": { "count": count, "seed": seed, "over": axes } }),
    }
}

fn axis(axis: &Axis) -> Value {
    let mut value = json!({ "name": axis.name });
    let mut range = |range: &Range| {
        (value["from"], value["to"]) = (range.from.into(), range.to.into());
        if range.is_log {
            value["log"] = true.into();
        }
    };
    match &axis.values {
        Values::Spaced(own, count) => {
            range(own);
            value["count"] = (*count).into();
        }
        Values::Between(own) => range(own),
        Values::Listed(values) => value["values"] = values.as_slice().into(),
        Values::Words(words) => value["values"] = words.as_slice().into(),
    }
    value
}

/// What a field should have been.
fn wrong(field: &str, expected: &'static str) -> SweepError {
    SweepError::Json { field: field.to_owned(), expected }
}

pub(crate) fn read(value: &Value) -> Result<Sweep, SweepError> {
    let object = value.as_object().ok_or_else(|| wrong("json", "an object"))?;
    if object.get("carom").is_some_and(|version| version != VERSION) {
        let message = format!("the sweep was made by carom {}, and this is carom {VERSION}", object["carom"]);
        return Err(SweepError::NotSupported(message));
    }
    let text = |name: &str| object.get(name).map(|own| own.as_str().ok_or_else(|| wrong(name, "a text"))).transpose();
    let kind = text("kind")?.unwrap_or("simulation");
    let kind = Kind::NAMED.into_iter().find(|(name, _)| *name == kind).map(|(_, kind)| kind);
    let kind = kind.ok_or_else(|| wrong("kind", "simulation, optimisation or design"))?;
    let source = text("text")?.ok_or_else(|| wrong("text", "the text of the file"))?;
    let mut sweep = Sweep::new(kind, text("file")?.unwrap_or("model.toml"), source);
    sweep.beside = object.get("beside").map_or(Ok(Vec::new()), |own| pairs("beside", own))?;
    sweep.set = object.get("set").map_or(Ok(Vec::new()), |own| pairs("set", own))?;
    sweep.points = object.get("points").map_or(Ok(sweep.points.clone()), read_points)?;
    sweep.measures = list(object.get("measures"), "measures")?.iter().map(read_measure).collect::<Result<_, _>>()?;
    match object.get("part_rows").filter(|rows| !rows.is_null()) {
        Some(rows) => sweep.part_rows = whole(rows, "part_rows")? as usize,
        None => sweep.choose_part_rows(),
    }
    Ok(sweep)
}

fn pairs(field: &str, value: &Value) -> Result<Vec<(String, String)>, SweepError> {
    let object = value.as_object().ok_or_else(|| wrong(field, "an object of texts"))?;
    let pair = |(name, text): (&String, &Value)| match text {
        Value::String(text) => Ok((name.clone(), text.clone())),
        Value::Number(number) => Ok((name.clone(), number.to_string())),
        _ => Err(wrong(field, "an object of texts")),
    };
    object.iter().map(pair).collect()
}

fn list<'a>(value: Option<&'a Value>, field: &str) -> Result<&'a [Value], SweepError> {
    match value {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(list)) => Ok(list),
        Some(_) => Err(wrong(field, "a list")),
    }
}

fn whole(value: &Value, field: &str) -> Result<u64, SweepError> {
    value.as_u64().ok_or_else(|| wrong(field, "a whole number"))
}

fn read_measure(value: &Value) -> Result<NamedMeasure, SweepError> {
    let expected = "an object with the texts `name`, `formula` and perhaps `over`";
    let text = |name: &str| value[name].as_str().ok_or_else(|| wrong("measures", expected));
    let over = if value["over"].is_null() { "end" } else { text("over")? };
    let over = Over::NAMED.into_iter().find(|(name, _)| *name == over).map(|(_, over)| over);
    let over = over.ok_or_else(|| wrong("over", "end, largest or smallest"))?;
    let measure = Measure { formula: text("formula")?.to_owned(), over };
    Ok(NamedMeasure { name: text("name")?.to_owned(), measure })
}

fn read_points(value: &Value) -> Result<Points, SweepError> {
    let axes = |list: &Value, field: &str| -> Result<Vec<Axis>, SweepError> {
        let list = list.as_array().ok_or_else(|| wrong(field, "a list of axes"))?;
        list.iter().map(read_axis).collect()
    };
    if let Some(grid) = value.get("grid") {
        return axes(grid, "grid").map(Points::Grid);
    }
    if let Some(table) = value.get("table") {
        return axes(table, "table").map(Points::Table);
    }
    let random = value.get("random").ok_or_else(|| wrong("points", "`grid`, `random` or `table`"))?;
    let seed = if random["seed"].is_null() { 1 } else { whole(&random["seed"], "seed")? };
    Ok(Points::Random { axes: axes(&random["over"], "over")?, count: whole(&random["count"], "count")? as usize, seed })
}

fn read_axis(value: &Value) -> Result<Axis, SweepError> {
    let name = value["name"].as_str().ok_or_else(|| wrong("name", "the name of an axis"))?.to_owned();
    if let Some(listed) = value.get("values") {
        let listed = listed.as_array().ok_or_else(|| wrong("values", "a list"))?;
        let numbers: Option<Vec<f64>> = listed.iter().map(Value::as_f64).collect();
        let words: Option<Vec<String>> = listed.iter().map(|word| word.as_str().map(str::to_owned)).collect();
        let values = numbers.map(Values::Listed).or(words.map(Values::Words));
        return Ok(Axis { name, values: values.ok_or_else(|| wrong("values", "numbers only, or texts only"))? });
    }
    let end = |field: &str| value[field].as_f64().ok_or_else(|| wrong(field, "a number"));
    let range = Range { from: end("from")?, to: end("to")?, is_log: value["log"] == true };
    let values = match value.get("count") {
        Some(count) => Values::Spaced(range, whole(count, "count")? as usize),
        None => Values::Between(range),
    };
    Ok(Axis { name, values })
}
