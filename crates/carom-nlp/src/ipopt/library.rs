//! Ipopt's C interface (`IpStdCInterface.h`), behind safe types.
//!
//! Its `Bool` is `int` before version 3.14 and `bool` since. We return 1 as `int`, which reads as true
//! either way, and of what comes back we look at the lowest byte only.
//!
//! Safety of this module:
//! * signatures are those of the header, with `ipindex = int` and `ipnumber = double` (the default build);
//! * the library is never unloaded, so that function pointers stay valid;
//! * arrays are passed with the lengths that `CreateIpoptProblem` was told, and slices of what callbacks
//!   receive are made with the lengths Ipopt passes along, empty ones never from a null pointer;
//! * `user_data` points to a [`super::problem::State`] that lives in [`super::problem::Problem::solve`] for the whole of `IpoptSolve`; Ipopt
//!   calls back on the same thread, one callback at a time, so each has it alone;
//! * no panic crosses the C boundary: each callback catches, reports failure to Ipopt, and `solve` resumes it.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_void};
use std::sync::OnceLock;

pub(super) type Index = std::ffi::c_int;
pub(super) type Number = std::ffi::c_double;
pub(super) type Bool = Index;
pub(super) type Data = *mut c_void;
type EvalF = unsafe extern "C" fn(Index, *const Number, Bool, *mut Number, Data) -> Bool;
type EvalG = unsafe extern "C" fn(Index, *const Number, Bool, Index, *mut Number, Data) -> Bool;
type EvalGradF = unsafe extern "C" fn(Index, *const Number, Bool, *mut Number, Data) -> Bool;
type EvalJacG =
    unsafe extern "C" fn(Index, *const Number, Bool, Index, Index, *mut Index, *mut Index, *mut Number, Data) -> Bool;
type EvalH = unsafe extern "C" fn(
    Index,
    *const Number,
    Bool,
    Number,
    Index,
    *const Number,
    Bool,
    Index,
    *mut Index,
    *mut Index,
    *mut Number,
    Data,
) -> Bool;
type Intermediate = unsafe extern "C" fn(
    Index,
    Index,
    Number,
    Number,
    Number,
    Number,
    Number,
    Number,
    Number,
    Number,
    Index,
    Data,
) -> Bool;
type Create = unsafe extern "C" fn(
    Index,
    *const Number,
    *const Number,
    Index,
    *const Number,
    *const Number,
    Index,
    Index,
    Index,
    EvalF,
    EvalG,
    EvalGradF,
    EvalJacG,
    EvalH,
) -> Data;
type Free = unsafe extern "C" fn(Data);
type SetString = unsafe extern "C" fn(Data, *const c_char, *const c_char) -> Bool;
type SetNumber = unsafe extern "C" fn(Data, *const c_char, Number) -> Bool;
type SetInteger = unsafe extern "C" fn(Data, *const c_char, Index) -> Bool;
type SetCallback = unsafe extern "C" fn(Data, Intermediate) -> Bool;
type Solve = unsafe extern "C" fn(
    Data,
    *mut Number,
    *mut Number,
    *mut Number,
    *mut Number,
    *mut Number,
    *mut Number,
    Data,
) -> Index;
pub(super) type Iterate = unsafe extern "C" fn(
    Data,
    Bool,
    Index,
    *mut Number,
    *mut Number,
    *mut Number,
    Index,
    *mut Number,
    *mut Number,
) -> Bool;

/// The functions of the library.
pub(super) struct Library {
    pub(super) create: Create,
    pub(super) free: Free,
    pub(super) set_string: SetString,
    pub(super) set_number: SetNumber,
    pub(super) set_integer: SetInteger,
    pub(super) set_callback: SetCallback,
    pub(super) solve: Solve,
    /// Since 3.14.
    pub(super) iterate: Option<Iterate>,
}

/// The library of this machine, looked up once.
pub(super) fn library() -> Result<&'static Library, &'static str> {
    static LIBRARY: OnceLock<Result<Library, String>> = OnceLock::new();
    LIBRARY.get_or_init(find).as_ref().map_err(String::as_str)
}

fn find() -> Result<Library, String> {
    let usual = [
        "libipopt.so",
        "libipopt.so.3",
        "libipopt.so.1",
        "libipopt.dylib",
        "libipopt.3.dylib",
        "ipopt-3.dll",
        "ipopt.dll",
    ];
    let names = match std::env::var("CAROM_IPOPT") {
        Ok(path) if !path.is_empty() => vec![path],
        _ => usual.map(str::to_owned).to_vec(),
    };
    // SAFETY: loading runs the initialisers of a library the user names or installed under Ipopt's name.
    let found = names.iter().find_map(|name| unsafe { libloading::Library::new(name) }.ok());
    let looked_for = names.join(", ");
    let Some(found) = found else {
        return Err(format!("Ipopt's library was not found; looked for {looked_for}; set CAROM_IPOPT to its path"));
    };
    // Never unloaded: threads and exit handlers of its linear solvers may outlive us.
    load(Box::leak(Box::new(found))).map_err(|error| {
        format!("Ipopt's library was not found: {looked_for} lacks a function of its C interface ({error})")
    })
}

fn load(from: &'static libloading::Library) -> Result<Library, libloading::Error> {
    // SAFETY: the types are those of the header, see the top.
    unsafe {
        Ok(Library {
            create: *from.get::<Create>(b"CreateIpoptProblem\0")?,
            free: *from.get::<Free>(b"FreeIpoptProblem\0")?,
            set_string: *from.get::<SetString>(b"AddIpoptStrOption\0")?,
            set_number: *from.get::<SetNumber>(b"AddIpoptNumOption\0")?,
            set_integer: *from.get::<SetInteger>(b"AddIpoptIntOption\0")?,
            set_callback: *from.get::<SetCallback>(b"SetIntermediateCallback\0")?,
            solve: *from.get::<Solve>(b"IpoptSolve\0")?,
            iterate: from.get::<Iterate>(b"GetIpoptCurrentIterate\0").ok().map(|symbol| *symbol),
        })
    }
}

/// The lowest byte decides.
pub(super) fn truth(value: Bool) -> bool {
    value & 0xff != 0
}
