//! The settings of the outer methods: a section for each that has any.

use super::reader::Reader;
use crate::method::methods;
use crate::study::{Mean, MethodOptions, Study};
use crate::surrogate::Kernel;
use carom_model::reading::{Entry, items};
use toml::de::DeValue;

/// Trends with their names.
const MEANS: [(&str, Mean); 2] = [("constant", Mean::Constant), ("linear", Mean::Linear)];
/// Largest initial design.
const MAX_INITIAL: usize = 100_000;

impl Reader<'_> {
    /// Settings by the name of the method.
    pub(super) fn methods(&mut self, document: &[Entry<'_>], study: &Study) -> Vec<(String, MethodOptions)> {
        let names: Vec<&str> = methods().iter().map(|method| method.name()).collect();
        let sections = document.iter().filter(|entry| names.contains(&entry.key.as_str()));
        sections.map(|entry| (entry.key.clone(), self.method_options(entry, study))).collect()
    }

    fn method_options(&mut self, section: &Entry<'_>, study: &Study) -> MethodOptions {
        let mut options = MethodOptions::default();
        for field in self.fields(section, &section.key, &format!("[{}]", section.key)) {
            match field.key.as_str() {
                "initial" => self.initial(&field, section, study, &mut options),
                "tolerance" => options.tolerance = self.positive(&field),
                "kernel" => options.kernel = self.word(&field, &Kernel::NAMED).unwrap_or_default(),
                "mean" => options.mean = self.word(&field, &MEANS).unwrap_or_default(),
                "mesh" => options.mesh = self.share(&field).unwrap_or(options.mesh),
                "finest" => options.finest = self.share(&field).unwrap_or(options.finest),
                _ => {}
            }
        }
        options
    }

    /// A share of the ranges: above 0, and at most 1.
    fn share(&mut self, field: &Entry<'_>) -> Option<f64> {
        let number = self.positive(field)?;
        if number <= 1.0 {
            return Some(number);
        }
        let message = format!("`{}` is {number}, but is a share of the ranges", field.key);
        self.report.error("out-of-range", field.place, message, Some("write a number from 0 to 1".to_owned()));
        None
    }

    /// A number of designs, or the designs themselves.
    fn initial(&mut self, field: &Entry<'_>, section: &Entry<'_>, study: &Study, options: &mut MethodOptions) {
        let Some(list) = items(field) else {
            if section.key == "strawman" {
                self.report.wrong_type(field, "a list of designs", "initial = [0.5, 0.6]");
            } else {
                options.initial = self.count(field, MAX_INITIAL);
            }
            return;
        };
        let designs: Vec<Option<Vec<f64>>> = list.iter().map(|item| self.design(item, study)).collect();
        options.designs = designs.into_iter().flatten().collect();
        let is_few = section.key == "strawman" && options.designs.len() < 2;
        if options.designs.is_empty() || is_few {
            let least = if is_few { "two designs" } else { "one design" };
            let message = format!("`initial` needs at least {least}");
            self.report.error("missing-key", field.place, message, Some("add some, or leave it out".to_owned()));
        }
    }

    /// A number for one variable, or a list with a number for each.
    fn design(&mut self, item: &Entry<'_>, study: &Study) -> Option<Vec<f64>> {
        let numbers: Vec<Option<f64>> = match item.value {
            DeValue::Array(_) => items(item).unwrap_or_default().iter().map(|number| self.number(number)).collect(),
            _ => vec![self.number(item)],
        };
        let design: Vec<f64> = numbers.into_iter().collect::<Option<_>>()?;
        if design.len() != study.variables.len() {
            let (found, needed) = (design.len(), study.variables.len());
            let message = format!("a design has {needed} numbers here, found {found}");
            self.report.error("wrong-type", item.place, message, Some("write one for each design variable".to_owned()));
            return None;
        }
        let outside = study.variables.iter().zip(&design).find(|(own, value)| !(own.lower..=own.upper).contains(value));
        if let Some((own, value)) = outside {
            let message =
                format!("`{}` is {value} here, outside its range from {} to {}", own.name, own.lower, own.upper);
            self.report.error("out-of-range", item.place, message, Some("choose a value inside".to_owned()));
            return None;
        }
        Some(design)
    }
}
