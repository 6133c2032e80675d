//! Tokens into expressions, by recursive descent straight into the graph.

use super::error::{ParseError, ParseErrorKind, TextSpan};
use super::lexer::{Token, tokens};
use super::suggest::nearest;
use crate::graph::{Graph, Id};
use crate::op::{Binary, Unary};

/// What the names in a text stand for.
pub trait Names {
    /// The expression behind `name` with `primes` time derivatives.
    fn resolve(&mut self, graph: &mut Graph, name: &str, primes: usize) -> Result<Id, NameError>;

    /// All names that could be used here, for suggestions.
    fn known(&self) -> Vec<String>;
}

/// Why a name has no meaning.
#[derive(Clone, Debug, PartialEq)]
pub enum NameError {
    /// There is no such name.
    Unknown,
    /// The name exists but cannot be used here.
    Rejected {
        /// Why not.
        message: String,
        /// What to do instead.
        help: Option<String>,
    },
}

/// Bounds on what a text may ask for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Characters.
    pub length: usize,
    /// Nested brackets, signs, powers and calls.
    pub depth: usize,
    /// New nodes in the graph.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { length: 100_000, depth: 128, nodes: 200_000 }
    }
}

/// Reads an expression into the graph.
pub fn parse(graph: &mut Graph, text: &str, names: &mut dyn Names) -> Result<Id, ParseError> {
    parse_with_limits(graph, text, names, Limits::default())
}

/// Reads an expression into the graph, within other limits than the usual ones.
pub fn parse_with_limits(
    graph: &mut Graph,
    text: &str,
    names: &mut dyn Names,
    limits: Limits,
) -> Result<Id, ParseError> {
    if text.len() > limits.length {
        let kind = ParseErrorKind::TooLong { limit: limits.length };
        return Err(ParseError::new(kind, 0..text.len()));
    }
    let tokens = tokens(text)?;
    if tokens.len() == 1 {
        return Err(ParseError::new(ParseErrorKind::Empty, 0..text.len()));
    }
    let first_node = graph.len();
    let mut parser = Parser { graph, tokens, at: 0, names, limits, depth: 0, first_node };
    let id = parser.disjunction()?;
    match parser.peek() {
        Token::End => Ok(id),
        Token::Number(_) | Token::Name(..) | Token::Symbol("(") => Err(parser.error(ParseErrorKind::MissingOperator)),
        _ => Err(parser.expected("an operator or the end")),
    }
}

struct Parser<'a> {
    graph: &'a mut Graph,
    tokens: Vec<(Token, TextSpan)>,
    at: usize,
    names: &'a mut dyn Names,
    limits: Limits,
    depth: usize,
    first_node: usize,
}

type Parsed = Result<Id, ParseError>;

impl Parser<'_> {
    fn disjunction(&mut self) -> Parsed {
        let mut left = self.conjunction()?;
        while self.take_word("or") {
            let right = self.conjunction()?;
            let one = self.graph.constant(1.0);
            left = self.graph.select(left, one, right);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Parsed {
        let mut left = self.negation()?;
        while self.take_word("and") {
            let right = self.negation()?;
            let zero = self.graph.constant(0.0);
            left = self.graph.select(left, right, zero);
        }
        Ok(left)
    }

    fn negation(&mut self) -> Parsed {
        if !self.take_word("not") {
            return self.comparison();
        }
        let inner = self.nested(Self::negation)?;
        let zero = self.graph.constant(0.0);
        Ok(self.graph.binary(Binary::Equal, inner, zero))
    }

    fn comparison(&mut self) -> Parsed {
        let left = self.sum()?;
        let Some(symbol) = self.take_symbol(&["<", "<=", ">", ">=", "==", "!="]) else { return Ok(left) };
        let right = self.sum()?;
        let graph = &mut *self.graph;
        Ok(match symbol {
            "<" => graph.binary(Binary::Less, left, right),
            "<=" => graph.binary(Binary::LessEqual, left, right),
            ">" => graph.binary(Binary::Less, right, left),
            ">=" => graph.binary(Binary::LessEqual, right, left),
            "==" => graph.binary(Binary::Equal, left, right),
            _ => {
                let (equal, one) = (graph.binary(Binary::Equal, left, right), graph.constant(1.0));
                graph.sub(one, equal)
            }
        })
    }

    fn sum(&mut self) -> Parsed {
        let mut left = self.product()?;
        while let Some(symbol) = self.take_symbol(&["+", "-"]) {
            let right = self.product()?;
            left = if symbol == "+" { self.graph.add(left, right) } else { self.graph.sub(left, right) };
            self.check_nodes()?;
        }
        Ok(left)
    }

    fn product(&mut self) -> Parsed {
        let mut left = self.signed()?;
        while let Some(symbol) = self.take_symbol(&["*", "/"]) {
            let right = self.signed()?;
            left = if symbol == "*" { self.graph.mul(left, right) } else { self.graph.div(left, right) };
            self.check_nodes()?;
        }
        Ok(left)
    }

    fn signed(&mut self) -> Parsed {
        match self.take_symbol(&["+", "-"]) {
            Some("-") => {
                let inner = self.nested(Self::signed)?;
                Ok(self.graph.neg(inner))
            }
            Some(_) => self.nested(Self::signed),
            None => self.power(),
        }
    }

    fn power(&mut self) -> Parsed {
        let base = self.primary()?;
        if self.take_symbol(&["^", "**"]).is_none() {
            return Ok(base);
        }
        // The exponent may carry a sign and binds to the right.
        let exponent = self.nested(Self::signed)?;
        Ok(self.graph.pow(base, exponent))
    }

    fn primary(&mut self) -> Parsed {
        match self.peek().clone() {
            Token::Number(value) => {
                self.at += 1;
                Ok(self.graph.constant(value))
            }
            Token::Symbol("(") => {
                self.at += 1;
                let inner = self.nested(Self::disjunction)?;
                self.close()?;
                Ok(inner)
            }
            Token::Name(name, primes) => {
                let span = self.span();
                self.at += 1;
                let word = matches!(name.as_str(), "and" | "or" | "not");
                if *self.peek() == Token::Symbol("(") && !word {
                    return self.call(&name, primes, span);
                }
                self.name(&name, primes, span)
            }
            _ => Err(self.expected("a number, a name or `(`")),
        }
    }

    fn name(&mut self, name: &str, primes: usize, span: TextSpan) -> Parsed {
        if name == "pi" && primes == 0 {
            return Ok(self.graph.constant(std::f64::consts::PI));
        }
        if super::reserved_names().contains(&name) && name != "pi" {
            let kind = match name {
                "and" | "or" | "not" => {
                    ParseErrorKind::Expected { expected: "a number, a name or `(`", found: format!("`{name}`") }
                }
                _ => ParseErrorKind::FunctionWithoutArguments { name: name.to_owned() },
            };
            return Err(ParseError::new(kind, span));
        }
        let id =
            self.names.resolve(self.graph, name, primes).map_err(|error| self.bad_name(name, primes, error, span))?;
        self.check_nodes()?;
        Ok(id)
    }

    fn bad_name(&self, name: &str, primes: usize, error: NameError, span: TextSpan) -> ParseError {
        let kind = match error {
            NameError::Rejected { message, help } => ParseErrorKind::Rejected { message, help },
            NameError::Unknown => {
                let known = self.names.known();
                let suggestion = nearest(name, known.iter().map(String::as_str));
                ParseErrorKind::UnknownName { name: format!("{name}{}", "'".repeat(primes)), suggestion, known }
            }
        };
        ParseError::new(kind, span)
    }

    fn call(&mut self, name: &str, primes: usize, span: TextSpan) -> Parsed {
        self.at += 1;
        let mut arguments = Vec::new();
        if *self.peek() != Token::Symbol(")") {
            arguments.push(self.nested(Self::disjunction)?);
            while self.take_symbol(&[","]).is_some() {
                arguments.push(self.nested(Self::disjunction)?);
            }
        }
        self.close()?;
        if primes == 0 {
            if let Some((_, op)) = Unary::NAMED.iter().find(|(known, _)| *known == name) {
                count(name, &arguments, "1", arguments.len() == 1, span)?;
                return Ok(self.graph.unary(*op, arguments[0]));
            }
            if let Some((_, op)) = Binary::NAMED.iter().find(|(known, _)| *known == name) {
                return self.binary_call(name, *op, &arguments, span);
            }
            if name == "if" {
                count(name, &arguments, "3", arguments.len() == 3, span)?;
                return Ok(self.graph.select(arguments[0], arguments[1], arguments[2]));
            }
        }
        Err(self.unknown_function(name, primes, span))
    }

    fn binary_call(&mut self, name: &str, op: Binary, arguments: &[Id], span: TextSpan) -> Parsed {
        if op == Binary::Atan2 {
            count(name, arguments, "2", arguments.len() == 2, span)?;
        } else {
            count(name, arguments, "2 or more", arguments.len() >= 2, span)?;
        }
        let first = arguments[0];
        Ok(arguments[1..].iter().fold(first, |left, &right| self.graph.binary(op, left, right)))
    }

    fn unknown_function(&self, name: &str, primes: usize, span: TextSpan) -> ParseError {
        let known = self.names.known();
        let written = format!("{name}{}", "'".repeat(primes));
        let kind = if name == "pi" || known.iter().any(|k| k == name) {
            ParseErrorKind::NotAFunction { name: written }
        } else {
            ParseErrorKind::UnknownFunction { name: written, suggestion: nearest(name, super::function_names()) }
        };
        ParseError::new(kind, span)
    }

    /// One level deeper, as far as the limit allows.
    fn nested(&mut self, inside: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        self.depth += 1;
        if self.depth > self.limits.depth {
            return Err(self.error(ParseErrorKind::TooDeep { limit: self.limits.depth }));
        }
        let id = inside(self)?;
        self.depth -= 1;
        self.check_nodes()?;
        Ok(id)
    }

    fn check_nodes(&self) -> Result<(), ParseError> {
        if self.graph.len() - self.first_node > self.limits.nodes {
            return Err(self.error(ParseErrorKind::TooManyNodes { limit: self.limits.nodes }));
        }
        Ok(())
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn span(&self) -> TextSpan {
        self.tokens[self.at].1.clone()
    }

    fn take_symbol(&mut self, symbols: &[&'static str]) -> Option<&'static str> {
        let found = symbols.iter().find(|symbol| *self.peek() == Token::Symbol(symbol)).copied();
        self.at += usize::from(found.is_some());
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Name(name, 0) if name == word);
        self.at += usize::from(found);
        found
    }

    fn close(&mut self) -> Result<(), ParseError> {
        match self.take_symbol(&[")"]) {
            Some(_) => Ok(()),
            None => Err(self.expected("`)`, `,` or an operator")),
        }
    }

    fn expected(&self, expected: &'static str) -> ParseError {
        self.error(ParseErrorKind::Expected { expected, found: self.peek().describe() })
    }

    fn error(&self, kind: ParseErrorKind) -> ParseError {
        ParseError::new(kind, self.span())
    }
}

fn count(name: &str, arguments: &[Id], expected: &'static str, right: bool, span: TextSpan) -> Result<(), ParseError> {
    if right {
        return Ok(());
    }
    let kind = ParseErrorKind::WrongArgumentCount { name: name.to_owned(), expected, found: arguments.len() };
    Err(ParseError::new(kind, span))
}
