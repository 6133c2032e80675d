//! Expressions in text: `0.5*m*(x'^2 + y'^2) - m*g*y`.
//!
//! | | |
//! |---|---|
//! | numbers | `2`, `0.5`, `1e-3`, `pi` |
//! | names | letters, digits and `_`; a trailing `'` marks the rate of change |
//! | operators, weakest first | `or`, `and`, `not`, `< <= > >= == !=`, `+ -`, `* /`, unary `-`, `^` (also `**`) |
//! | functions | `sqrt exp log sin cos tan asin acos atan sinh cosh tanh abs sign`, `atan2(y, x)`, `min(a, b, ...)`, `max(a, b, ...)`, `if(condition, a, b)` |
//!
//! `-x^2` is `-(x^2)` and `a^b^c` is `a^(b^c)`. Text is limited in length, depth
//! of nesting and number of nodes, so that no input can exhaust the machine.

mod error;
mod lexer;
mod parser;
mod suggest;

pub use error::{ParseError, ParseErrorKind, TextSpan};
pub use parser::{Limits, NameError, Names, parse, parse_with_limits};
pub use suggest::nearest;

/// Names that text gives a meaning of its own; a model cannot use them.
pub fn reserved_names() -> Vec<&'static str> {
    function_names().chain(["pi", "and", "or", "not"]).collect()
}

/// Names that are written with arguments in brackets.
fn function_names() -> impl Iterator<Item = &'static str> {
    let unary = crate::op::Unary::NAMED.iter().map(|(name, _)| *name);
    let binary = crate::op::Binary::NAMED.iter().map(|(name, _)| *name);
    unary.chain(binary).chain(["if"])
}

/// The names that an expression uses, primes left out; none if it cannot be cut into words.
pub fn names_in(text: &str) -> Vec<String> {
    if text.len() > Limits::default().length {
        return Vec::new();
    }
    let reserved = reserved_names();
    let words = lexer::tokens(text).unwrap_or_default().into_iter();
    let names = words.filter_map(|(token, _)| match token {
        lexer::Token::Name(name, _) => Some(name),
        _ => None,
    });
    names.filter(|name| !reserved.contains(&name.as_str())).collect()
}

/// True if `name` can name something in text: a letter or `_`, then letters, digits, `_`.
pub fn is_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}
