//! Factorisations of symmetric indefinite matrices, `A = L D L^T`, with their inertia.
