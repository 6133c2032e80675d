//! scratch
mod random_systems;
use carom::impact::{JumpKind, Verifier, Geometry};
use carom::expr::Backend;
use random_systems::*;
use std::time::Instant;

#[test]
fn explore() {
    let (mut n, mut bad) = (0, 0);
    for seed in 0..40u64 {
        let law = Law::ALL[(seed % 5) as usize];
        let kind = Kind { law, is_constrained: (seed / 5) % 2 == 1, contacts: 1 + (seed as usize / 10) % 2 };
        let case = random_case(seed + 1, kind);
        println!("{}", case.name);
        let mut verifier = Verifier::new(&case.system, options(JumpKind::Pointwise)).unwrap();
        let mut geometry = Geometry::new(&case.system.dynamics(), Backend::Interpreter).unwrap();
        let clock = Instant::now();
        match case.flow(0.05, 3.0) {
            Ok(run) => {
                let worst = run.impacts.iter().map(|i| verifier.verify(i).unwrap().largest()).fold(0.0, f64::max);
                println!("   flow {} impacts, {} modes, {} findings, verify {worst:.1e}, gap {:.1e} {:.2} s", run.impacts.len(), run.modes.len(), run.findings.len(), run.gaps.iter().copied().fold(9.0, f64::min), clock.elapsed().as_secs_f64());
            }
            Err(e) => println!("   flow: {e}"),
        }
        for method in ["trapezoidal", "midpoint", "gauss2", "gauss3"] {
            for jump in JumpKind::ALL {
                let clock = Instant::now();
                n += 1;
                match case.run(method, jump, 0.025, 3.0) {
                    Ok(run) => {
                        let mut verifier = Verifier::new(&case.system, options(jump)).unwrap();
                        let mut worst: f64 = 0.0;
                        for i in &run.impacts { let r = verifier.verify(i).unwrap(); if r.largest() > 1e-10 { println!("      {r:?} t={} {}", i.t, i.impulses.len()); } worst = worst.max(r.largest()); }
                        let nodes = run.gaps.iter().copied().fold(9.0, f64::min);
                        if worst > 1e-12 || nodes < -1e-12 { bad += 1; println!("   {method} {} {} impacts {} modes: verify {worst:.1e} nodes {nodes:.1e}, {:.2} s", jump.name(), run.impacts.len(), run.modes.len(), clock.elapsed().as_secs_f64()); }
                    }
                    Err(e) => { bad += 1; println!("   {method} {}: {e}", jump.name()); }
                }
            }
        }
    }
    println!("{bad} of {n}");
}
