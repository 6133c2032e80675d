//! Text into tokens.

use super::error::{ParseError, ParseErrorKind, TextSpan};

/// The smallest meaningful piece of text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(f64),
    /// A name and the number of primes behind it.
    Name(String, usize),
    /// An operator or a bracket.
    Symbol(&'static str),
    End,
}

impl Token {
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Number(value) => format!("the number {value}"),
            Self::Name(name, primes) => format!("`{name}{}`", "'".repeat(*primes)),
            Self::Symbol(symbol) => format!("`{symbol}`"),
            Self::End => "the end of the expression".to_owned(),
        }
    }
}

/// Two-character symbols stand before their one-character beginnings.
const SYMBOLS: [&str; 15] = ["**", "<=", ">=", "==", "!=", "+", "-", "*", "/", "^", "(", ")", ",", "<", ">"];

/// Cuts the whole text into tokens; the last one is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, TextSpan)>, ParseError> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if next.is_whitespace() {
            at += next.len_utf8();
            continue;
        } else if next.is_ascii_digit() || next == '.' {
            let length = number_length(rest);
            found.push((Token::Number(number(rest, length, at)?), at..at + length));
            length
        } else if next.is_ascii_alphabetic() || next == '_' {
            let word = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let primes = rest[word..].bytes().take_while(|&b| b == b'\'').count();
            found.push((Token::Name(rest[..word].to_owned(), primes), at..at + word + primes));
            word + primes
        } else if let Some(symbol) = SYMBOLS.iter().find(|s| rest.starts_with(**s)) {
            found.push((Token::Symbol(symbol), at..at + symbol.len()));
            symbol.len()
        } else {
            let kind = ParseErrorKind::UnexpectedCharacter { character: next };
            return Err(ParseError::new(kind, at..at + next.len_utf8()));
        };
        at += length;
    }
    found.push((Token::End, text.len()..text.len()));
    Ok(found)
}

/// Digits, a point, an exponent: how far a number reaches.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |mut i: usize| {
        while i < bytes.len() && (bytes[i].is_ascii_digit() || bytes[i] == b'.') {
            i += 1;
        }
        i
    };
    let mantissa = digits(0);
    if !matches!(bytes.get(mantissa), Some(b'e' | b'E')) {
        return mantissa;
    }
    let sign = usize::from(matches!(bytes.get(mantissa + 1), Some(b'+' | b'-')));
    let first = mantissa + 1 + sign;
    if bytes.get(first).is_some_and(u8::is_ascii_digit) { digits(first) } else { mantissa }
}

fn number(text: &str, length: usize, at: usize) -> Result<f64, ParseError> {
    let text = &text[..length];
    let bad = || ParseError::new(ParseErrorKind::BadNumber { text: text.to_owned() }, at..at + length);
    text.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(bad)
}
