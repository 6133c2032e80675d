//! Patterns of a program, and where the entries of every placement go.

use super::kernel::Compiled;
use super::{Placement, ProgramError, Variable};
use crate::nlp::Pattern;

/// Patterns, and for every placement in turn the targets of its entries.
pub(crate) struct Assembly {
    pub(crate) jacobian: Pattern,
    pub(crate) jacobian_targets: Vec<u32>,
    pub(crate) hessian: Pattern,
    pub(crate) hessian_targets: Vec<u32>,
}

pub(crate) fn assemble(
    variables: &[Variable],
    rows: usize,
    kernels: &[Compiled],
    placements: &[Placement],
) -> Result<Assembly, ProgramError> {
    let (mut jacobian, mut hessian) = (Vec::new(), Vec::new());
    // Last placement that read each variable.
    let mut reader = vec![usize::MAX; variables.len()];
    for (number, placement) in placements.iter().enumerate() {
        check(number, placement, kernels, variables.len(), rows)?;
        for &variable in &placement.variables {
            if std::mem::replace(&mut reader[variable as usize], number) == number {
                let name = variables[variable as usize].name.clone();
                return Err(ProgramError::Twice { placement: number, name });
            }
        }
        let kernel = &kernels[placement.kernel];
        jacobian
            .extend(kernel.jacobian.iter().map(|&(row, column)| key(placement.rows[row], placement.variables[column])));
        hessian.extend(kernel.hessian.iter().map(|&(row, column)| {
            let (a, b) = (placement.variables[row], placement.variables[column]);
            key(a.max(b), a.min(b))
        }));
    }
    let (jacobian, jacobian_targets) = unite(&jacobian);
    let (hessian, hessian_targets) = unite(&hessian);
    Ok(Assembly { jacobian, jacobian_targets, hessian, hessian_targets })
}

fn key(row: u32, column: u32) -> u64 {
    u64::from(row) << 32 | u64::from(column)
}

/// The distinct places, sorted, and where each of `keys` stands among them.
fn unite(keys: &[u64]) -> (Pattern, Vec<u32>) {
    let mut order: Vec<u32> = (0..keys.len() as u32).collect();
    order.sort_unstable_by_key(|&i| keys[i as usize]);
    let mut pattern = Pattern::default();
    let mut targets = vec![0; keys.len()];
    let mut last = None;
    for i in order {
        let here = keys[i as usize];
        if last.replace(here) != Some(here) {
            pattern.rows.push((here >> 32) as u32);
            pattern.columns.push(here as u32);
        }
        targets[i as usize] = (pattern.len() - 1) as u32;
    }
    (pattern, targets)
}

fn check(
    number: usize,
    placement: &Placement,
    kernels: &[Compiled],
    variables: usize,
    rows: usize,
) -> Result<(), ProgramError> {
    let Some(kernel) = kernels.get(placement.kernel) else {
        let (kernel, count) = (placement.kernel, kernels.len());
        return Err(ProgramError::UnknownKernel { placement: number, kernel, count });
    };
    let sizes = [
        ("variables", placement.variables.len(), kernel.variables),
        ("data", placement.data.len(), kernel.data),
        ("rows", placement.rows.len(), kernel.rows),
    ];
    for (what, found, needed) in sizes {
        if found != needed {
            return Err(ProgramError::Size { placement: number, what, found, needed });
        }
    }
    let lists = [("variable", &placement.variables, variables), ("row", &placement.rows, rows)];
    for (what, list, count) in lists {
        if let Some(&index) = list.iter().find(|&&index| index as usize >= count) {
            return Err(ProgramError::Index { placement: number, what, index: index as usize, count });
        }
    }
    Ok(())
}
