//! Native code through Cranelift.
//!
//! The tape is cut into chunks of about 250 instructions, each a function of
//! its own: compile time grows faster than the length of a function, and the
//! register allocator does better on short ones. Values that cross a border
//! live in scratch memory. Library calls come first wherever the data allow,
//! because every call spills all vector registers.

use super::tape::{Code, Instruction, Tape};
use super::unchecked::Machine;
use crate::op::{Binary, Unary};
use cranelift::codegen::ir::FuncRef;
use cranelift::prelude::*;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module};
use rustc_hash::FxHashMap;

/// Instructions per function.
const CHUNK: usize = 250;

/// Compiles a tape; the error is Cranelift's own message.
pub(crate) fn compile(tape: &Tape) -> Result<Machine, String> {
    let mut module = new_module()?;
    let library = Library::declare(&mut module)?;
    let instructions = calls_first(tape);
    let plan = Plan::new(tape, &instructions);
    let mut context = module.make_context();
    let mut builder_context = FunctionBuilderContext::new();
    let mut functions = Vec::new();
    let chunks: Vec<&[Instruction]> =
        if instructions.is_empty() { vec![&[]] } else { instructions.chunks(CHUNK).collect() };
    for (number, chunk) in chunks.iter().enumerate() {
        let pointer = module.target_config().pointer_type();
        context.func.signature.params = vec![AbiParam::new(pointer); 3];
        let builder = FunctionBuilder::new(&mut context.func, &mut builder_context);
        Emitter::new(builder, &mut module, &library, tape, &plan).emit(chunk, number + 1 == chunks.len());
        let name = format!("chunk{number}");
        let id = module
            .declare_function(&name, Linkage::Local, &context.func.signature)
            .map_err(|error| error.to_string())?;
        module.define_function(id, &mut context).map_err(|error| error.to_string())?;
        module.clear_context(&mut context);
        functions.push(id);
    }
    module.finalize_definitions().map_err(|error| error.to_string())?;
    let entries: Vec<*const u8> = functions.iter().map(|&id| module.get_finalized_function(id)).collect();
    Ok(Machine::new(module, &entries, tape.inputs, tape.outputs.len(), plan.scratch))
}

fn new_module() -> Result<JITModule, String> {
    let mut flags = settings::builder();
    // The graph is free of common subexpressions already: optimising again costs time only.
    for (name, value) in [("opt_level", "none"), ("enable_verifier", "false"), ("is_pic", "false")] {
        flags.set(name, value).map_err(|error| error.to_string())?;
    }
    let isa = cranelift_native::builder()?;
    let isa = isa.finish(settings::Flags::new(flags)).map_err(|error| error.to_string())?;
    let mut builder = JITBuilder::with_isa(isa, cranelift_module::default_libcall_names());
    for (name, address) in library::unary().map(|(_, name, f)| (name, f as *const u8)) {
        builder.symbol(name, address);
    }
    for (name, address) in library::binary().map(|(_, name, f)| (name, f as *const u8)) {
        builder.symbol(name, address);
    }
    builder.symbol(library::SIN_COS, library::sin_cos as *const u8);
    Ok(JITModule::new(builder))
}

/// The functions that compiled code calls: the very ones that the interpreter uses.
mod library {
    use crate::op::{Binary, Unary};

    macro_rules! unary {
        ($($op:ident $name:ident),*) => {
            $(extern "C" fn $name(x: f64) -> f64 { Unary::$op.apply(x) })*
            pub(super) fn unary() -> impl Iterator<Item = (Unary, &'static str, extern "C" fn(f64) -> f64)> {
                [$((Unary::$op, concat!("carom_", stringify!($name)), $name as extern "C" fn(f64) -> f64)),*].into_iter()
            }
        };
    }
    unary!(Exp exp, Log log, Sin sin, Cos cos, Tan tan, Asin asin, Acos acos, Atan atan, Sinh sinh, Cosh cosh, Tanh tanh);

    pub(super) const SIN_COS: &str = "carom_sin_cos";

    /// True where C returns two numbers in two registers, as Cranelift does.
    pub(super) const RETURNS_PAIRS: bool = cfg!(all(unix, any(target_arch = "x86_64", target_arch = "aarch64")));

    #[repr(C)]
    pub(super) struct SinCos {
        sine: f64,
        cosine: f64,
    }

    pub(super) extern "C" fn sin_cos(x: f64) -> SinCos {
        SinCos { sine: Unary::Sin.apply(x), cosine: Unary::Cos.apply(x) }
    }

    type Two = extern "C" fn(f64, f64) -> f64;
    extern "C" fn pow(a: f64, b: f64) -> f64 {
        Binary::Pow.apply(a, b)
    }
    extern "C" fn atan2(a: f64, b: f64) -> f64 {
        Binary::Atan2.apply(a, b)
    }
    pub(super) fn binary() -> impl Iterator<Item = (Binary, &'static str, Two)> {
        [(Binary::Pow, "carom_pow", pow as Two), (Binary::Atan2, "carom_atan2", atan2 as Two)].into_iter()
    }
}

struct Library {
    unary: FxHashMap<Unary, FuncId>,
    binary: FxHashMap<Binary, FuncId>,
    sin_cos: FuncId,
}

impl Library {
    fn declare(module: &mut JITModule) -> Result<Self, String> {
        let mut import = |name: &str, parameters: usize, results: usize| {
            let mut signature = module.make_signature();
            signature.params = vec![AbiParam::new(types::F64); parameters];
            signature.returns = vec![AbiParam::new(types::F64); results];
            module.declare_function(name, Linkage::Import, &signature).map_err(|error| error.to_string())
        };
        let unary =
            library::unary().map(|(op, name, _)| Ok((op, import(name, 1, 1)?))).collect::<Result<_, String>>()?;
        let binary =
            library::binary().map(|(op, name, _)| Ok((op, import(name, 2, 1)?))).collect::<Result<_, String>>()?;
        let sin_cos = import(library::SIN_COS, 1, 2)?;
        Ok(Self { unary, binary, sin_cos })
    }
}

/// Library calls and what they rest on, then everything else; each part in the old order.
fn calls_first(tape: &Tape) -> Vec<Instruction> {
    let mut wanted = vec![false; tape.slots];
    let mut early = vec![false; tape.instructions.len()];
    for (index, instruction) in tape.instructions.iter().enumerate().rev() {
        early[index] = instruction.is_call() || instruction.writes().any(|slot| wanted[slot as usize]);
        if early[index] {
            instruction.reads().for_each(|slot| wanted[slot as usize] = true);
        }
    }
    let part = |which: bool| {
        let early = &early;
        tape.instructions.iter().enumerate().filter(move |(index, _)| early[*index] == which).map(|(_, i)| *i)
    };
    part(true).chain(part(false)).collect()
}

/// Which slots cross chunk borders and where they are kept; where outputs are written.
struct Plan {
    kept: FxHashMap<u32, usize>,
    scratch: usize,
    outputs_of: FxHashMap<u32, Vec<usize>>,
}

impl Plan {
    fn new(tape: &Tape, instructions: &[Instruction]) -> Self {
        let fixed = (tape.inputs + tape.constants.len()) as u32;
        let mut born: FxHashMap<u32, usize> = FxHashMap::default();
        let mut kept: FxHashMap<u32, usize> = FxHashMap::default();
        for (index, instruction) in instructions.iter().enumerate() {
            for slot in instruction.reads().filter(|slot| *slot >= fixed) {
                if born[&slot] != index / CHUNK {
                    let next = kept.len();
                    kept.entry(slot).or_insert(next);
                }
            }
            born.extend(instruction.writes().map(|slot| (slot, index / CHUNK)));
        }
        let mut outputs_of: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (place, &slot) in tape.outputs.iter().enumerate() {
            outputs_of.entry(slot).or_default().push(place);
        }
        Self { scratch: kept.len(), kept, outputs_of }
    }
}

struct Emitter<'a> {
    builder: FunctionBuilder<'a>,
    module: &'a mut JITModule,
    library: &'a Library,
    tape: &'a Tape,
    plan: &'a Plan,
    pointers: [Value; 3],
    values: FxHashMap<u32, Value>,
    imported: FxHashMap<FuncId, FuncRef>,
}

impl<'a> Emitter<'a> {
    fn new(
        mut builder: FunctionBuilder<'a>,
        module: &'a mut JITModule,
        library: &'a Library,
        tape: &'a Tape,
        plan: &'a Plan,
    ) -> Self {
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        builder.seal_block(block);
        let parameters = builder.block_params(block);
        let pointers = [parameters[0], parameters[1], parameters[2]];
        let (values, imported) = (FxHashMap::default(), FxHashMap::default());
        Self { builder, module, library, tape, plan, pointers, values, imported }
    }

    fn emit(mut self, chunk: &[Instruction], last: bool) {
        for instruction in chunk {
            self.instruction(instruction);
            instruction.writes().for_each(|slot| self.store(slot));
        }
        // Outputs that are inputs or constants belong to no instruction.
        let fixed = (self.tape.inputs + self.tape.constants.len()) as u32;
        if last {
            let plain: Vec<u32> = self.tape.outputs.iter().copied().filter(|slot| *slot < fixed).collect();
            plain.into_iter().for_each(|slot| self.store(slot));
        }
        self.builder.ins().return_(&[]);
        self.builder.finalize(self.module.target_config());
    }

    /// The value of a slot: computed here, loaded, or a constant.
    fn value(&mut self, slot: u32) -> Value {
        if let Some(&value) = self.values.get(&slot) {
            return value;
        }
        let inputs = self.tape.inputs;
        let value = if (slot as usize) < inputs {
            self.load(0, slot as usize)
        } else if let Some(&constant) = self.tape.constants.get(slot as usize - inputs) {
            self.builder.ins().f64const(constant)
        } else {
            self.load(2, self.plan.kept[&slot])
        };
        self.values.insert(slot, value);
        value
    }

    fn load(&mut self, pointer: usize, place: usize) -> Value {
        self.builder.ins().load(types::F64, MemFlagsData::trusted(), self.pointers[pointer], 8 * place as i32)
    }

    /// Writes a fresh value wherever later chunks or the caller look for it.
    fn store(&mut self, slot: u32) {
        let value = self.value(slot);
        if let Some(&place) = self.plan.kept.get(&slot) {
            self.builder.ins().store(MemFlagsData::trusted(), value, self.pointers[2], 8 * place as i32);
        }
        for &place in self.plan.outputs_of.get(&slot).map_or(&[][..], Vec::as_slice) {
            self.builder.ins().store(MemFlagsData::trusted(), value, self.pointers[1], 8 * place as i32);
        }
    }

    fn instruction(&mut self, instruction: &Instruction) {
        let a = self.value(instruction.a);
        let b = if instruction.code == Code::SinCos { a } else { self.value(instruction.b) };
        let c = self.value(instruction.c);
        let value = match instruction.code {
            Code::Unary(op) => self.unary(op, a),
            Code::Binary(op) => self.binary(op, a, b),
            Code::Select => {
                let zero = self.builder.ins().f64const(0.0);
                let is_false = self.builder.ins().fcmp(FloatCC::Equal, a, zero);
                self.builder.ins().select(is_false, c, b)
            }
            Code::MulAdd => {
                let product = self.builder.ins().fmul(a, b);
                self.builder.ins().fadd(product, c)
            }
            Code::MulSub => {
                let product = self.builder.ins().fmul(a, b);
                self.builder.ins().fsub(product, c)
            }
            Code::SubMul => {
                let product = self.builder.ins().fmul(a, b);
                self.builder.ins().fsub(c, product)
            }
            Code::SinCos => {
                let (sine, cosine) = self.sin_cos(a);
                self.values.insert(instruction.b, cosine);
                sine
            }
        };
        self.values.insert(instruction.dst, value);
    }

    fn unary(&mut self, op: Unary, x: Value) -> Value {
        match op {
            Unary::Neg => self.builder.ins().fneg(x),
            Unary::Sqrt => self.builder.ins().sqrt(x),
            Unary::Abs => self.builder.ins().fabs(x),
            Unary::Sign => {
                let constant = |builder: &mut FunctionBuilder<'_>, value| builder.ins().f64const(value);
                let (zero, plus, minus) = (
                    constant(&mut self.builder, 0.0),
                    constant(&mut self.builder, 1.0),
                    constant(&mut self.builder, -1.0),
                );
                let below = self.builder.ins().fcmp(FloatCC::LessThan, x, zero);
                let rest = self.builder.ins().select(below, minus, x);
                let above = self.builder.ins().fcmp(FloatCC::GreaterThan, x, zero);
                self.builder.ins().select(above, plus, rest)
            }
            _ => self.call(self.library.unary[&op], &[x])[0],
        }
    }

    fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        match op {
            Binary::Add => self.builder.ins().fadd(a, b),
            Binary::Sub => self.builder.ins().fsub(a, b),
            Binary::Mul => self.builder.ins().fmul(a, b),
            Binary::Div => self.builder.ins().fdiv(a, b),
            Binary::Pow | Binary::Atan2 => self.call(self.library.binary[&op], &[a, b])[0],
            Binary::Min => self.choose(FloatCC::LessThan, a, b),
            Binary::Max => self.choose(FloatCC::GreaterThan, a, b),
            Binary::Less => self.truth(FloatCC::LessThan, a, b),
            Binary::LessEqual => self.truth(FloatCC::LessThanOrEqual, a, b),
            Binary::Equal => self.truth(FloatCC::Equal, a, b),
        }
    }

    /// `a` where the comparison holds, else `b`.
    fn choose(&mut self, condition: FloatCC, a: Value, b: Value) -> Value {
        let holds = self.builder.ins().fcmp(condition, a, b);
        self.builder.ins().select(holds, a, b)
    }

    /// `1` where the comparison holds, else `0`.
    fn truth(&mut self, condition: FloatCC, a: Value, b: Value) -> Value {
        let holds = self.builder.ins().fcmp(condition, a, b);
        let (one, zero) = (self.builder.ins().f64const(1.0), self.builder.ins().f64const(0.0));
        self.builder.ins().select(holds, one, zero)
    }

    fn sin_cos(&mut self, x: Value) -> (Value, Value) {
        if library::RETURNS_PAIRS {
            let pair = self.call(self.library.sin_cos, &[x]);
            return (pair[0], pair[1]);
        }
        (self.unary(Unary::Sin, x), self.unary(Unary::Cos, x))
    }

    fn call(&mut self, function: FuncId, arguments: &[Value]) -> &[Value] {
        let builder = &mut self.builder;
        let module = &mut *self.module;
        let callee =
            *self.imported.entry(function).or_insert_with(|| module.declare_func_in_func(function, builder.func));
        let call = self.builder.ins().call(callee, arguments);
        self.builder.inst_results(call)
    }
}
