//! Fields of JSON objects, by name and type.

use serde_json::Value;

/// An object; errors name the field.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub &'a Value);

impl<'a> Fields<'a> {
    pub fn inner(&self, key: &str) -> Fields<'a> {
        Fields(&self.0[key])
    }

    fn array(&self, key: &str) -> Result<&'a Vec<Value>, String> {
        self.0[key].as_array().ok_or_else(|| format!("`{key}` is no list"))
    }

    pub fn list<T>(&self, key: &str, read: impl Fn(Fields<'a>) -> Result<T, String>) -> Result<Vec<T>, String> {
        self.array(key)?.iter().map(|value| read(Fields(value))).collect()
    }

    pub fn text(&self, key: &str) -> Result<String, String> {
        self.0[key].as_str().map(str::to_owned).ok_or_else(|| format!("`{key}` is no text"))
    }

    pub fn texts(&self, key: &str) -> Result<Vec<String>, String> {
        let text = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(|| format!("`{key}` has no texts"));
        self.array(key)?.iter().map(text).collect()
    }

    pub fn number(&self, key: &str) -> Result<f64, String> {
        number(&self.0[key], key)
    }

    pub fn numbers(&self, key: &str) -> Result<Vec<f64>, String> {
        numbers(&self.0[key], key)
    }

    pub fn rows(&self, key: &str) -> Result<Vec<Vec<f64>>, String> {
        rows(&self.0[key], key)
    }

    pub fn tables(&self, key: &str) -> Result<Vec<Vec<Vec<f64>>>, String> {
        self.array(key)?.iter().map(|value| rows(value, key)).collect()
    }

    /// Objects with `name` and `value`.
    pub fn named(&self, key: &str) -> Result<Vec<(String, f64)>, String> {
        self.list(key, |fields| Ok((fields.text("name")?, fields.number("value")?)))
    }
}

/// A number; `null` stands for one that is not finite.
fn number(value: &Value, key: &str) -> Result<f64, String> {
    match value {
        Value::Null => Ok(f64::NAN),
        other => other.as_f64().ok_or_else(|| format!("`{key}` is no number")),
    }
}

fn numbers(value: &Value, key: &str) -> Result<Vec<f64>, String> {
    let list = value.as_array().ok_or_else(|| format!("`{key}` is no list"))?;
    list.iter().map(|value| number(value, key)).collect()
}

fn rows(value: &Value, key: &str) -> Result<Vec<Vec<f64>>, String> {
    let list = value.as_array().ok_or_else(|| format!("`{key}` is no list"))?;
    list.iter().map(|value| numbers(value, key)).collect()
}
