//! What can be wrong with the text of an expression, and where.

use std::ops::Range;

/// Byte range in the text of the expression.
pub type TextSpan = Range<usize>;

/// An error at a place of the text.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{kind}")]
pub struct ParseError {
    /// What is wrong.
    pub kind: ParseErrorKind,
    /// Where it is wrong.
    pub span: TextSpan,
}

impl ParseError {
    pub(super) fn new(kind: ParseErrorKind, span: TextSpan) -> Self {
        Self { kind, span }
    }

    /// What to write instead, where there is something to say.
    pub fn help(&self) -> Option<String> {
        match &self.kind {
            ParseErrorKind::UnknownName { suggestion: Some(name), .. }
            | ParseErrorKind::UnknownFunction { suggestion: Some(name), .. } => Some(format!("did you mean `{name}`?")),
            ParseErrorKind::UnknownName { known, .. } if !known.is_empty() => {
                Some(format!("known names: {}", known.join(", ")))
            }
            ParseErrorKind::UnknownFunction { .. } => {
                Some(format!("functions: {}", super::function_names().collect::<Vec<_>>().join(", ")))
            }
            ParseErrorKind::NotAFunction { name } => Some(format!("to multiply, write `{name}*(...)`")),
            ParseErrorKind::UnexpectedCharacter { character: '=' } => Some("to compare, write `==`".to_owned()),
            ParseErrorKind::MissingOperator => Some("to multiply, write `*` between the factors".to_owned()),
            ParseErrorKind::Rejected { help, .. } => help.clone(),
            _ => None,
        }
    }
}

/// The kinds of mistakes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum ParseErrorKind {
    #[error("the expression is empty")]
    Empty,
    #[error("unexpected character `{character}`")]
    UnexpectedCharacter { character: char },
    #[error("`{text}` is not a number")]
    BadNumber { text: String },
    #[error("expected {expected}, found {found}")]
    Expected { expected: &'static str, found: String },
    #[error("two values stand side by side without an operator")]
    MissingOperator,
    #[error("unknown name `{name}`")]
    UnknownName { name: String, suggestion: Option<String>, known: Vec<String> },
    #[error("unknown function `{name}`")]
    UnknownFunction { name: String, suggestion: Option<String> },
    #[error("`{name}` is not a function")]
    NotAFunction { name: String },
    #[error("`{name}` is a function and needs arguments, as in `{name}(x)`")]
    FunctionWithoutArguments { name: String },
    #[error("`{name}` takes {expected} argument(s), found {found}")]
    WrongArgumentCount { name: String, expected: &'static str, found: usize },
    #[error("{message}")]
    Rejected { message: String, help: Option<String> },
    #[error("the expression is longer than {limit} characters")]
    TooLong { limit: usize },
    #[error("the expression is nested deeper than {limit} levels")]
    TooDeep { limit: usize },
    #[error("the expression has more than {limit} nodes")]
    TooManyNodes { limit: usize },
}
