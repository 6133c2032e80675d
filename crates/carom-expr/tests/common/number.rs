//! One source of test functions for numbers with derivatives and for expressions.

use carom_expr::Expr;
use num_dual::{Dual64, DualNum, HyperDual64};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Everything that the functions below need.
pub trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
{
    fn sqrt(self) -> Self;
    fn exp(self) -> Self;
    fn log(self) -> Self;
    fn sin(self) -> Self;
    fn cos(self) -> Self;
    fn tan(self) -> Self;
    fn asin(self) -> Self;
    fn acos(self) -> Self;
    fn atan(self) -> Self;
    fn sinh(self) -> Self;
    fn cosh(self) -> Self;
    fn tanh(self) -> Self;
    fn abs(self) -> Self;
    fn atan2(self, x: Self) -> Self;
    fn powi(self, exponent: i32) -> Self;
    fn powf(self, exponent: f64) -> Self;
    fn power(self, exponent: Self) -> Self;
}

macro_rules! forward {
    ($type:ty; $($method:ident)*) => {$(
        fn $method(self) -> Self {
            <$type>::$method(self)
        }
    )*};
}

impl Number for Expr<'_> {
    forward!(Self; sqrt exp log sin cos tan asin acos atan sinh cosh tanh abs);
    fn atan2(self, x: Self) -> Self {
        Expr::atan2(self, x)
    }
    fn powi(self, exponent: i32) -> Self {
        self.pow(f64::from(exponent))
    }
    fn powf(self, exponent: f64) -> Self {
        self.pow(exponent)
    }
    fn power(self, exponent: Self) -> Self {
        self.pow(exponent)
    }
}

macro_rules! dual {
    ($type:ty; $($method:ident)*) => {
        impl Number for $type {
            $(fn $method(self) -> Self {
                DualNum::$method(&self)
            })*
            fn log(self) -> Self {
                DualNum::ln(&self)
            }
            fn abs(self) -> Self {
                if self.re < 0.0 { -self } else { self }
            }
            fn atan2(self, x: Self) -> Self {
                DualNum::atan2(&self, x)
            }
            fn powi(self, exponent: i32) -> Self {
                DualNum::powi(&self, exponent)
            }
            fn powf(self, exponent: f64) -> Self {
                DualNum::powf(&self, exponent)
            }
            fn power(self, exponent: Self) -> Self {
                DualNum::powd(&self, exponent)
            }
        }
    };
}

dual!(Dual64; sqrt exp sin cos tan asin acos atan sinh cosh tanh);
dual!(HyperDual64; sqrt exp sin cos tan asin acos atan sinh cosh tanh);

/// Functions of four arguments between 0 and 1 that use every operation.
pub fn catalogue<N: Number>(x: &[N]) -> Vec<(&'static str, N)> {
    let (a, b, c, d) = (x[0], x[1], x[2], x[3]);
    vec![
        ("sum", a * 3.0 + b - c / 2.0),
        ("product", a * b * c * d),
        ("quotient", (a + b) / (c * d + 1.0)),
        ("nested quotient", a / (b / (c * c + 0.5))),
        ("sqrt", (a * a + b * c).sqrt()),
        ("exp", (a * b - c).exp()),
        ("log", (a * b + d).log()),
        ("sin cos", (a + b * 2.0).sin() * (c - a).cos()),
        ("tan", (a * b).tan()),
        ("asin", (a * 0.5 + b * 0.3).asin()),
        ("acos", (a * b * 0.9).acos()),
        ("atan", (a / b - c).atan()),
        ("atan2", (a - b).atan2(c + d * d)),
        ("atan2 behind", (a + b).atan2(-(c + d))),
        ("sinh cosh", (a - b * c).sinh() + (a * d).cosh()),
        ("tanh", (a * 2.0 - b).tanh()),
        ("abs of negative", (a - b - 2.0).abs() * c),
        ("abs of positive", (a * b + 0.1).abs().log()),
        ("square", (a - b).powi(2) * c),
        ("cube", (a + b * d).powi(3)),
        ("seventh power", (a - c * 2.0).powi(7)),
        ("inverse square", (a + b).powi(-2)),
        ("twentieth power", (a + 0.5).powi(20) * b),
        ("half power", (a + b).powf(0.5)),
        ("real power", (a * b + c).powf(1.7)),
        ("negative real power", (a + b).powf(-2.3)),
        ("variable power", (a + 0.5).power(b - c)),
        ("constant base", (a * 0.0 + 2.0).power(b * c)),
        ("separable", a.sin() + b.exp() + c.powi(3) + d.log()),
        ("arrow", a * (b.sin() + c * c + d.cos())),
    ]
}
