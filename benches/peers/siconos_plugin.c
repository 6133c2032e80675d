/* The ellipse's gap y - h(theta) for Siconos, which takes user functions from a shared library.
   Compiled by siconos_peer.py, with ELLIPSE_A and ELLIPSE_B from common.py. */
#include <math.h>

static double square(double x) { return x * x; }

/* h, h' and h'' of the support function h(theta) = sqrt(a^2 sin^2 + b^2 cos^2). */
static void support(double theta, double h[3]) {
  const double s = sin(theta), c = cos(theta), difference = square(ELLIPSE_A) - square(ELLIPSE_B);
  h[0] = sqrt(square(ELLIPSE_A * s) + square(ELLIPSE_B * c));
  h[1] = difference * s * c / h[0];
  h[2] = (difference * (c * c - s * s) - square(h[1])) / h[0];
}

void ellipse_gap(unsigned nq, const double *q, unsigned ny, double *y, unsigned nz, double *z) {
  double h[3];
  support(q[2], h);
  y[0] = q[1] - h[0];
}

void ellipse_gradient(unsigned nq, const double *q, unsigned ny, double *gradient, unsigned nz, double *z) {
  double h[3];
  support(q[2], h);
  gradient[0] = 0.0;
  gradient[1] = 1.0;
  gradient[2] = -h[1];
}

void ellipse_gradient_rate(unsigned nq, const double *q, unsigned nv, const double *v, double *rate, unsigned nz,
                           double *z) {
  double h[3];
  support(q[2], h);
  rate[0] = rate[1] = 0.0;
  rate[2] = -h[2] * v[2];
}
