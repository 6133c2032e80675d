//! Joints: sequences of turns and slides, each with a coordinate of its own.

/// An axis of the frame before the joint.
pub type Axis = [f64; 3];

/// How a body hangs on the one before it.
#[derive(Clone, Debug, PartialEq)]
pub enum Joint {
    /// It does not move.
    Fixed,
    /// It turns about an axis.
    Revolute {
        /// The coordinate.
        angle: String,
        /// The axis.
        axis: Axis,
    },
    /// It slides along an axis.
    Prismatic {
        /// The coordinate.
        place: String,
        /// The axis.
        axis: Axis,
    },
    /// It turns about an axis, then about another one that turns with it.
    Universal {
        /// The coordinates.
        angles: [String; 2],
        /// The axes.
        axes: [Axis; 2],
    },
    /// It turns about three axes of its own, one after the other: Euler angles of the order that the axes have.
    Spherical {
        /// The coordinates.
        angles: [String; 3],
        /// The axes; neighbours differ.
        axes: [Axis; 3],
    },
    /// It slides along two axes and turns about a third.
    Planar {
        /// The coordinates along the first two axes.
        places: [String; 2],
        /// The coordinate about the third.
        angle: String,
        /// The axes.
        axes: [Axis; 3],
    },
    /// It moves freely: along x, y, z, then by Euler angles.
    Floating {
        /// Coordinates along x, y and z.
        places: [String; 3],
        /// Euler angles.
        angles: [String; 3],
        /// The axes of the angles.
        axes: [Axis; 3],
    },
}

/// A turn or a slide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Freedom<'a> {
    Turn(&'a str, Axis),
    Slide(&'a str, Axis),
}

impl Freedom<'_> {
    /// The length of the axis, which may be written with any.
    pub(crate) fn axis_length(&self) -> f64 {
        let (Self::Turn(_, axis) | Self::Slide(_, axis)) = self;
        axis.iter().map(|part| part * part).sum::<f64>().sqrt()
    }
}

const FRAME: [Axis; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl Joint {
    /// What it is made of, in order.
    pub(crate) fn freedoms(&self) -> Vec<Freedom<'_>> {
        match self {
            Self::Fixed => Vec::new(),
            Self::Revolute { angle, axis } => vec![Freedom::Turn(angle, *axis)],
            Self::Prismatic { place, axis } => vec![Freedom::Slide(place, *axis)],
            Self::Universal { angles, axes } => {
                angles.iter().zip(axes).map(|(angle, axis)| Freedom::Turn(angle, *axis)).collect()
            }
            Self::Spherical { angles, axes } => {
                angles.iter().zip(axes).map(|(angle, axis)| Freedom::Turn(angle, *axis)).collect()
            }
            Self::Planar { places, angle, axes } => {
                let slides = places.iter().zip(axes).map(|(place, axis)| Freedom::Slide(place, *axis));
                slides.chain([Freedom::Turn(angle, axes[2])]).collect()
            }
            Self::Floating { places, angles, axes } => {
                let slides = places.iter().zip(FRAME).map(|(place, axis)| Freedom::Slide(place, axis));
                let turns = angles.iter().zip(axes).map(|(angle, axis)| Freedom::Turn(angle, *axis));
                slides.chain(turns).collect()
            }
        }
    }
}
