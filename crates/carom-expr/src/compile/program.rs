//! The interpreter's program: instructions in runs of one operation.
//!
//! Dispatch is what costs an interpreter its time. List scheduling that always
//! takes the operation with the most ready instructions, and drains it, leaves
//! a few dozen runs of a thousand instructions: one dispatch per run, a tight
//! loop inside. Registers are reused as soon as their value is dead, which
//! keeps the register file inside the first-level cache.

use super::tape::{Code, Instruction, Tape};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};

/// Registers are addressed by 16 bits: the register file has exactly this many
/// places, so no access needs a bounds check.
pub(crate) const REGISTERS: usize = 1 << 16;

/// An instruction on registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) dst: u16,
    pub(crate) a: u16,
    pub(crate) b: u16,
    pub(crate) c: u16,
}

/// Consecutive steps of one operation.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) code: Code,
    pub(crate) steps: Vec<Step>,
}

/// What the interpreter executes.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) inputs: usize,
    pub(crate) constants: Vec<f64>,
    pub(crate) runs: Vec<Run>,
    /// The register of each output.
    pub(crate) outputs: Vec<u16>,
}

/// Schedules a tape and assigns registers; the error is the number of registers
/// that would have been needed.
pub(crate) fn schedule(tape: &Tape) -> Result<Program, usize> {
    let order = grouped_order(tape);
    let registers = Registers::assign(tape, &order);
    if registers.count > REGISTERS {
        return Err(registers.count);
    }
    let mut runs: Vec<Run> = Vec::new();
    for &index in &order {
        let instruction = &tape.instructions[index as usize];
        if runs.last().is_none_or(|run| run.code != instruction.code) {
            runs.push(Run { code: instruction.code, steps: Vec::new() });
        }
        if let Some(run) = runs.last_mut() {
            run.steps.push(registers.step(instruction));
        }
    }
    Ok(Program {
        inputs: tape.inputs,
        constants: tape.constants.clone(),
        runs,
        outputs: tape.outputs.iter().map(|slot| registers.of_slot[*slot as usize] as u16).collect(),
    })
}

/// An order of the instructions with few changes of operation.
fn grouped_order(tape: &Tape) -> Vec<u32> {
    let mut producer: FxHashMap<u32, u32> = FxHashMap::default();
    for (index, instruction) in tape.instructions.iter().enumerate() {
        producer.extend(instruction.writes().map(|slot| (slot, index as u32)));
    }
    // Who waits for whom.
    let mut waiting = vec![0_u32; tape.instructions.len()];
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); tape.instructions.len()];
    for (index, instruction) in tape.instructions.iter().enumerate() {
        for before in instruction.reads().filter_map(|slot| producer.get(&slot)) {
            waiting[index] += 1;
            users[*before as usize].push(index as u32);
        }
    }
    let mut ready: BTreeMap<Code, VecDeque<u32>> = BTreeMap::new();
    for (index, instruction) in tape.instructions.iter().enumerate() {
        if waiting[index] == 0 {
            ready.entry(instruction.code).or_default().push_back(index as u32);
        }
    }
    let mut order = Vec::with_capacity(tape.instructions.len());
    while let Some(code) = ready.iter().max_by_key(|(_, queue)| queue.len()).map(|(code, _)| *code) {
        // Drain the fullest queue, new arrivals included.
        while let Some(index) = ready.get_mut(&code).and_then(VecDeque::pop_front) {
            order.push(index);
            for &user in &users[index as usize] {
                waiting[user as usize] -= 1;
                if waiting[user as usize] == 0 {
                    let code = tape.instructions[user as usize].code;
                    ready.entry(code).or_default().push_back(user);
                }
            }
        }
        ready.remove(&code);
    }
    order
}

/// The register of every slot.
struct Registers {
    of_slot: Vec<u32>,
    count: usize,
}

impl Registers {
    fn assign(tape: &Tape, order: &[u32]) -> Self {
        let mut last_use = vec![0_usize; tape.slots];
        for (position, &index) in order.iter().enumerate() {
            tape.instructions[index as usize].reads().for_each(|slot| last_use[slot as usize] = position);
        }
        tape.outputs.iter().for_each(|slot| last_use[*slot as usize] = usize::MAX);
        // Inputs and constants keep their own registers for ever.
        let fixed = tape.inputs + tape.constants.len();
        let mut of_slot: Vec<u32> = (0..tape.slots as u32).collect();
        let mut free: Vec<u32> = Vec::new();
        let mut count = fixed as u32;
        for (position, &index) in order.iter().enumerate() {
            let instruction = &tape.instructions[index as usize];
            let mut dead: Vec<u32> = instruction.reads().filter(|slot| *slot as usize >= fixed).collect();
            dead.sort_unstable();
            dead.dedup();
            dead.retain(|slot| last_use[*slot as usize] == position);
            // A pair writes twice after reading: its operand's register must survive the first write.
            let early = instruction.code != Code::SinCos;
            if early {
                free.extend(dead.iter().map(|slot| of_slot[*slot as usize]));
            }
            for slot in instruction.writes() {
                of_slot[slot as usize] = free.pop().unwrap_or_else(|| {
                    count += 1;
                    count - 1
                });
            }
            if !early {
                free.extend(dead.iter().map(|slot| of_slot[*slot as usize]));
            }
        }
        Self { of_slot, count: count as usize }
    }

    fn step(&self, instruction: &Instruction) -> Step {
        let register = |slot: u32| self.of_slot[slot as usize] as u16;
        Step {
            dst: register(instruction.dst),
            a: register(instruction.a),
            b: register(instruction.b),
            c: register(instruction.c),
        }
    }
}
