//! Reading XML that may be anything.
//!
//! A linear scan goes before the parser: nesting, attributes and namespaces are where parsers recurse or become quadratic.

use super::error::{Limit, UrdfError};
use super::remark::{Remark, What};
use roxmltree::{Document, Error, Node, ParsingOptions};

/// Longest text of the file that is repeated in messages and comments, in characters.
const SHOWN: usize = 60;

/// Largest number that is taken: products of a few of them are finite.
pub(super) const LARGEST: f64 = 1e50;

/// The elements of a text.
pub(super) fn parse(text: &str) -> Result<Document<'_>, UrdfError> {
    if text.len() > Limit::Bytes.most() {
        return Err(UrdfError::TooMuch { line: 1, of: Limit::Bytes });
    }
    scan(text)?;
    let options =
        ParsingOptions { allow_dtd: false, nodes_limit: Limit::Nodes.most() as u32, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        let place = error.pos();
        let (line, column) = (place.row.max(1) as usize, place.col.max(1) as usize);
        match error {
            Error::NodesLimitReached => UrdfError::TooMuch { line, of: Limit::Nodes },
            Error::DtdDetected => UrdfError::DocumentType { line: line_of(text, text.find("<!DOCTYPE")) },
            // Its message repeats names of elements.
            _ => UrdfError::Xml { line, column, message: shown_up_to(&error.to_string(), 4 * SHOWN) },
        }
    })
}

/// Refuses what would be too much for a parser.
fn scan(text: &str) -> Result<(), UrdfError> {
    let too_much = |at: usize, of: Limit| Err(UrdfError::TooMuch { line: line_of(text, Some(at)), of });
    let (mut at, mut depth, mut namespaces) = (0, 0_usize, 0);
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('<')) {
        let start = at + found;
        let rest = text.get(start..).unwrap_or("");
        let behind = |end: &str| rest.find(end).map_or(text.len(), |found| start + found + end.len());
        if rest.starts_with("<!--") {
            at = behind("-->");
        } else if rest.starts_with("<![CDATA[") {
            at = behind("]]>");
        } else if rest.starts_with("<?") {
            at = behind("?>");
        } else if rest.starts_with("</") {
            (at, depth) = (start + 2, depth.saturating_sub(1));
        } else {
            let tag = Tag::new(rest);
            at = start + tag.length;
            depth += usize::from(!tag.is_empty);
            namespaces += rest.get(..tag.length).unwrap_or("").matches("xmlns").count();
            if tag.attributes > Limit::Attributes.most() {
                return too_much(start, Limit::Attributes);
            }
            if depth > Limit::Depth.most() {
                return too_much(start, Limit::Depth);
            }
            if namespaces > Limit::Namespaces.most() {
                return too_much(start, Limit::Namespaces);
            }
        }
    }
    Ok(())
}

/// What a scan sees of a tag.
struct Tag {
    length: usize,
    attributes: usize,
    /// It ends with `/>`.
    is_empty: bool,
}

impl Tag {
    fn new(text: &str) -> Self {
        let (mut quote, mut attributes, mut last) = (None, 0, b'<');
        for (at, byte) in text.bytes().enumerate() {
            match (quote, byte) {
                (Some(open), _) if byte == open => quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'=') => attributes += 1,
                (None, b'>') => return Self { length: at + 1, attributes, is_empty: last == b'/' },
                _ => {}
            }
            last = byte;
        }
        Self { length: text.len(), attributes, is_empty: false }
    }
}

fn line_of(text: &str, at: Option<usize>) -> usize {
    1 + text.bytes().take(at.unwrap_or(0)).filter(|byte| *byte == b'\n').count()
}

/// A text of the file, fit for messages and comments: in one line, and not too long.
pub(super) fn shown(text: &str) -> String {
    shown_up_to(text, SHOWN)
}

fn shown_up_to(text: &str, most: usize) -> String {
    let plain = |letter: char| if letter.is_control() { '?' } else { letter };
    let mut short: String = text.chars().take(most).map(plain).collect();
    if text.chars().nth(most).is_some() {
        short.push_str("...");
    }
    short
}

/// A place and an orientation: roll, pitch, yaw.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pose {
    pub xyz: [f64; 3],
    pub rpy: [f64; 3],
}

/// Reads elements, and remembers what there is to remark.
pub(super) struct Reading {
    line_starts: Vec<usize>,
    pub remarks: Vec<Remark>,
}

impl Reading {
    pub fn new(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self { line_starts: std::iter::once(0).chain(breaks).collect(), remarks: Vec::new() }
    }

    /// The line of an element.
    pub fn line(&self, node: Node<'_, '_>) -> usize {
        let start = node.range().start;
        self.line_starts.partition_point(|&begin| begin <= start).max(1)
    }

    pub fn remark(&mut self, line: usize, subject: &str, what: What) {
        self.remarks.push(Remark { line, subject: subject.to_owned(), what });
    }

    /// An attribute that must be there.
    pub fn text<'a>(&self, node: Node<'a, '_>, attribute: &'static str) -> Result<&'a str, UrdfError> {
        let missing = || UrdfError::MissingAttribute { line: self.line(node), element: name(node), attribute };
        node.attribute(attribute).ok_or_else(missing)
    }

    /// Numbers of an attribute, if it is there.
    pub fn numbers<const N: usize>(
        &self,
        node: Node<'_, '_>,
        attribute: &'static str,
    ) -> Result<Option<[f64; N]>, UrdfError> {
        let Some(text) = node.attribute(attribute) else { return Ok(None) };
        let mut numbers = [0.0; N];
        let mut words = text.split_whitespace();
        let is_number = |slot: &mut f64| {
            let word = words.next().and_then(|word| word.parse::<f64>().ok()).filter(|number| number.abs() <= LARGEST);
            word.map(|number| *slot = number).is_some()
        };
        if numbers.iter_mut().all(is_number) && words.next().is_none() {
            return Ok(Some(numbers));
        }
        Err(self.no_numbers(node, attribute, text, N))
    }

    fn no_numbers(&self, node: Node<'_, '_>, attribute: &'static str, text: &str, expected: usize) -> UrdfError {
        let help = if text.contains("${") { "; expand the file by xacro first" } else { "" };
        let (line, element, found) = (self.line(node), name(node), shown(text));
        UrdfError::Numbers { line, element, attribute, found, expected, help }
    }

    /// A limit, if it is there; there may be infinite ones.
    pub fn limit(&self, node: Node<'_, '_>, attribute: &'static str) -> Result<Option<f64>, UrdfError> {
        let Some(text) = node.attribute(attribute) else { return Ok(None) };
        let found = text.trim().parse::<f64>().ok().filter(|number| !number.is_nan());
        found.map(Some).ok_or_else(|| self.no_numbers(node, attribute, text, 1))
    }

    /// A number that must be there.
    pub fn number(&self, node: Node<'_, '_>, attribute: &'static str) -> Result<f64, UrdfError> {
        self.text(node, attribute)?;
        Ok(self.optional(node, attribute)?.unwrap_or(0.0))
    }

    /// A number, if it is there.
    pub fn optional(&self, node: Node<'_, '_>, attribute: &'static str) -> Result<Option<f64>, UrdfError> {
        Ok(self.numbers::<1>(node, attribute)?.map(|[number]| number))
    }

    /// The first child of this name; a remark about others.
    pub fn child<'a, 'i>(&mut self, node: Node<'a, 'i>, wanted: &str, subject: &str) -> Option<Node<'a, 'i>> {
        let mut found = node.children().filter(|child| child.has_tag_name_of(wanted));
        let first = found.next();
        if let Some(other) = found.next() {
            let line = self.line(other);
            self.remark(line, subject, What::Repeated(wanted.to_owned()));
        }
        first
    }

    /// What `origin` says; zero without it.
    pub fn pose(&mut self, node: Node<'_, '_>, subject: &str) -> Result<Pose, UrdfError> {
        let Some(origin) = self.child(node, "origin", subject) else { return Ok(Pose::default()) };
        let xyz = self.numbers(origin, "xyz")?.unwrap_or_default();
        Ok(Pose { xyz, rpy: self.numbers(origin, "rpy")?.unwrap_or_default() })
    }
}

/// Comparison of names whatever the namespace is.
pub(super) trait LocalName {
    fn has_tag_name_of(&self, wanted: &str) -> bool;
}

impl LocalName for Node<'_, '_> {
    fn has_tag_name_of(&self, wanted: &str) -> bool {
        self.is_element() && self.tag_name().name() == wanted
    }
}

/// The name of an element, for messages.
pub(super) fn name(node: Node<'_, '_>) -> String {
    shown(node.tag_name().name())
}
