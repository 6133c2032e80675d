//! Formulas with operators: `0.5 * m * v * v - k * x.cos()`.
//!
//! A [`Scope`] lends its graph to small copyable handles, so that formulas in
//! Rust look like formulas on paper.
//!
//! ```
//! use carom_expr::{Graph, Scope};
//! let scope = Scope::new(Graph::new());
//! let (x, v) = (scope.variable("x"), scope.variable("v"));
//! let lagrangian = 0.5 * v * v - (1.0 - x.cos());
//! let momentum = lagrangian.derivative(v);
//! assert_eq!(momentum, v);
//! ```

use crate::graph::{Graph, Id};
use crate::op::{Binary, Unary};
use std::cell::RefCell;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A graph that hands out expressions with operators.
#[derive(Debug, Default)]
pub struct Scope {
    graph: RefCell<Graph>,
}

impl Scope {
    /// Takes a graph in.
    pub fn new(graph: Graph) -> Self {
        Self { graph: RefCell::new(graph) }
    }

    /// Gives the graph back.
    pub fn into_graph(self) -> Graph {
        self.graph.into_inner()
    }

    /// Work on the graph itself; handles must not be combined inside `action`.
    pub fn with<R>(&self, action: impl FnOnce(&mut Graph) -> R) -> R {
        action(&mut self.graph.borrow_mut())
    }

    /// The variable called `name`.
    pub fn variable(&self, name: &str) -> Expr<'_> {
        self.expr(self.with(|g| g.variable(name)))
    }

    /// The variables `prefix[0]`, `prefix[1]`, ...
    pub fn variables(&self, prefix: &str, count: usize) -> Vec<Expr<'_>> {
        self.exprs(&self.with(|g| g.variables(prefix, count)))
    }

    /// A number.
    pub fn constant(&self, value: f64) -> Expr<'_> {
        self.expr(self.with(|g| g.constant(value)))
    }

    /// The handle of an expression of this graph.
    pub fn expr(&self, id: Id) -> Expr<'_> {
        Expr { scope: self, id }
    }

    /// The handles of several expressions of this graph.
    pub fn exprs(&self, ids: &[Id]) -> Vec<Expr<'_>> {
        ids.iter().map(|&id| self.expr(id)).collect()
    }

    /// The sum of many expressions.
    pub fn sum<'s>(&'s self, terms: impl IntoIterator<Item = Expr<'s>>) -> Expr<'s> {
        terms.into_iter().fold(self.constant(0.0), |total, term| total + term)
    }
}

/// A copyable handle of an expression.
#[derive(Clone, Copy)]
pub struct Expr<'s> {
    scope: &'s Scope,
    id: Id,
}

impl<'s> Expr<'s> {
    /// The identifier in the graph.
    pub fn id(self) -> Id {
        self.id
    }

    /// `d self / d variable`
    pub fn derivative(self, variable: Expr<'s>) -> Expr<'s> {
        self.gradient(&[variable])[0]
    }

    /// The partial derivatives with respect to `variables`.
    pub fn gradient(self, variables: &[Expr<'s>]) -> Vec<Expr<'s>> {
        let variables = ids(variables);
        self.scope.exprs(&self.scope.with(|g| g.gradient(self.id, &variables)))
    }

    /// Whole or real power.
    pub fn pow(self, exponent: impl IntoExpr<'s>) -> Expr<'s> {
        let exponent = exponent.into_expr(self.scope);
        self.binary(Binary::Pow, exponent)
    }

    /// `self^2`
    pub fn square(self) -> Expr<'s> {
        self * self
    }

    /// The angle of the point `(x, self)`.
    pub fn atan2(self, x: Expr<'s>) -> Expr<'s> {
        self.binary(Binary::Atan2, x)
    }

    /// The smaller of the two.
    pub fn min(self, other: impl IntoExpr<'s>) -> Expr<'s> {
        self.binary(Binary::Min, other.into_expr(self.scope))
    }

    /// The larger of the two.
    pub fn max(self, other: impl IntoExpr<'s>) -> Expr<'s> {
        self.binary(Binary::Max, other.into_expr(self.scope))
    }

    /// `1` where `self < other`, else `0`.
    pub fn less(self, other: impl IntoExpr<'s>) -> Expr<'s> {
        self.binary(Binary::Less, other.into_expr(self.scope))
    }

    /// `1` where `self <= other`, else `0`.
    pub fn less_equal(self, other: impl IntoExpr<'s>) -> Expr<'s> {
        self.binary(Binary::LessEqual, other.into_expr(self.scope))
    }

    /// `1` where `self == other`, else `0`.
    pub fn equal(self, other: impl IntoExpr<'s>) -> Expr<'s> {
        self.binary(Binary::Equal, other.into_expr(self.scope))
    }

    /// `a` where this condition is true (not zero), else `b`.
    pub fn select(self, a: impl IntoExpr<'s>, b: impl IntoExpr<'s>) -> Expr<'s> {
        let (a, b) = (a.into_expr(self.scope).id, b.into_expr(self.scope).id);
        self.scope.expr(self.scope.with(|g| g.select(self.id, a, b)))
    }

    fn unary(self, op: Unary) -> Expr<'s> {
        self.scope.expr(self.scope.with(|g| g.unary(op, self.id)))
    }

    fn binary(self, op: Binary, other: Expr<'s>) -> Expr<'s> {
        self.scope.expr(self.scope.with(|g| g.binary(op, self.id, other.id)))
    }
}

macro_rules! unary_methods {
    ($($method:ident $op:ident),*) => {
        impl<'s> Expr<'s> {$(
            #[doc = concat!("`", stringify!($method), "(self)`")]
            pub fn $method(self) -> Expr<'s> {
                self.unary(Unary::$op)
            }
        )*}
    };
}

unary_methods!(sqrt Sqrt, exp Exp, log Log, sin Sin, cos Cos, tan Tan, asin Asin, acos Acos, atan Atan,
    sinh Sinh, cosh Cosh, tanh Tanh, abs Abs, sign Sign);

/// The identifiers behind handles.
pub fn ids(handles: &[Expr<'_>]) -> Vec<Id> {
    handles.iter().map(|handle| handle.id).collect()
}

/// Numbers and handles: whatever may stand in a formula.
pub trait IntoExpr<'s> {
    /// The expression.
    fn into_expr(self, scope: &'s Scope) -> Expr<'s>;
}

impl<'s> IntoExpr<'s> for Expr<'s> {
    fn into_expr(self, _: &'s Scope) -> Expr<'s> {
        self
    }
}

impl<'s> IntoExpr<'s> for f64 {
    fn into_expr(self, scope: &'s Scope) -> Expr<'s> {
        scope.constant(self)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident),*) => {$(
        impl<'s, R: IntoExpr<'s>> $trait<R> for Expr<'s> {
            type Output = Expr<'s>;
            fn $method(self, other: R) -> Expr<'s> {
                self.binary(Binary::$trait, other.into_expr(self.scope))
            }
        }
        impl<'s> $trait<Expr<'s>> for f64 {
            type Output = Expr<'s>;
            fn $method(self, other: Expr<'s>) -> Expr<'s> {
                other.scope.constant(self).binary(Binary::$trait, other)
            }
        }
    )*};
}

operators!(Add add, Sub sub, Mul mul, Div div);

impl<'s> Neg for Expr<'s> {
    type Output = Expr<'s>;
    fn neg(self) -> Expr<'s> {
        self.unary(Unary::Neg)
    }
}

impl PartialEq for Expr<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.scope, other.scope) && self.id == other.id
    }
}

impl fmt::Debug for Expr<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.scope.with(|g| g.display(self.id)))
    }
}
