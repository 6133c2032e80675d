//! The numbers that a Lagrangian can be evaluated with: one source for all of them.

use carom_expr::Expr;
use num_dual::{Dual2_64, DualNum, HyperDual64};
use std::ops::{Add, Mul, Neg, Sub};

/// A number, a number with derivatives, or an expression.
pub trait Scalar:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Mul<f64, Output = Self>
    + Mul<Self::Passive, Output = Self>
    + Neg<Output = Self>
{
    /// What is not differentiated: the step size.
    type Passive: Copy;

    /// `1 / h`
    fn reciprocal(h: Self::Passive) -> Self::Passive;

    /// Sine and cosine.
    fn sin_cos(self) -> (Self, Self);
}

impl<'s> Scalar for Expr<'s> {
    type Passive = Expr<'s>;

    fn reciprocal(h: Self) -> Self {
        1.0 / h
    }

    fn sin_cos(self) -> (Self, Self) {
        (self.sin(), self.cos())
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Scalar for $number {
            type Passive = f64;

            #[inline]
            fn reciprocal(h: f64) -> f64 {
                1.0 / h
            }

            #[inline]
            fn sin_cos(self) -> (Self, Self) {
                DualNum::sin_cos(&self)
            }
        }
    )*};
}

numbers!(f64, Dual2_64, HyperDual64);
