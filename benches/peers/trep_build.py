"""Fetch trep 1.0.2, carry it from Python 2 to Python 3, and install it.

trep's last release is written for CPython 2.7, which few systems still offer. What changes is
syntax and the C interface of the interpreter, never the arithmetic: positions and momenta
keep their last bit (see README.md).
"""
import hashlib
import os
import re
import shutil
import subprocess
import tarfile
import urllib.request

SDIST = "trep-1.0.2.tar.gz"
# The edits below were written for exactly this archive.
SHA256 = "21fb7c0e73e87fa278883481de6f2f0430521b92214070a98b5c1958487b5fe7"

# Names of the C interface that only changed their spelling.
COMPAT_H = """#include <Python.h>
#define PyInt_FromLong PyLong_FromLong
#define PyString_FromString PyUnicode_FromString
#define PyExc_StandardError PyExc_Exception
"""

MODULE_DEF = """static struct PyModuleDef trep_module = {PyModuleDef_HEAD_INIT, "_trep", NULL, -1, CTrepMethods};
PyMODINIT_FUNC PyInit__trep(void)"""

# Replaces trep's own setup.py, which wants git, Sphinx and Python 2.
SETUP_PY = """import glob
import numpy
from setuptools import Extension, setup
core = Extension("trep._trep", glob.glob("trep/_trep/**/*.c", recursive=True),
                 include_dirs=[numpy.get_include()], extra_compile_args=["-include", "compat.h"])
setup(name="trep", version="1.0.2", ext_modules=[core],
      packages=["trep", "trep.constraints", "trep.potentials", "trep.forces", "trep.visual"])
"""


def build(python, folder):
    """Install trep into the environment of `python`; archive and sources stay in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    archive, source = folder / SDIST, folder / SDIST[: -len(".tar.gz")]
    fetch(python, archive)
    shutil.rmtree(source, ignore_errors=True)
    with tarfile.open(archive) as tar:
        tar.extractall(folder)
    port_python(python, source)
    port_c(source / "trep" / "_trep")
    (source / "compat.h").write_text(COMPAT_H)
    (source / "setup.py").write_text(SETUP_PY)
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", source], check=True)


def fetch(python, archive):
    """pip finds the archive, so its configured index is used, but cannot save it:
    it runs setup.py first, and that fails on Python 3. So take the address from its log."""
    if not archive.exists():
        pip = [python, "-m", "pip", "download", "-vv", "--no-deps", "--no-cache-dir", "--no-binary", ":all:"]
        log = subprocess.run(pip + ["-d", archive.parent, "trep==1.0.2"], text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT).stdout
        link = re.search(r"Found link (\S+/%s)" % re.escape(SDIST), log)
        if link is None:
            raise SystemExit("pip does not find %s; its log ends with\n%s" % (SDIST, log[-500:]))
        with urllib.request.urlopen(link.group(1)) as answer:
            archive.write_bytes(answer.read())
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != SHA256:
        raise SystemExit("%s has sha256 %s, not %s: delete it and try again" % (archive, found, SHA256))


def edit(file, *changes):
    """Apply regular-expression changes; a change that must be seen in the file carries True."""
    text = file.read_text()
    for pattern, replacement, required in changes:
        text, count = re.subn(pattern, replacement, text, flags=re.S)
        if required and not count:
            raise SystemExit("%s: nothing matches %s" % (file, pattern))
    file.write_text(text)


def port_python(python, source):
    # fissix is 2to3, which the standard library has dropped; its own cache stays with ours.
    subprocess.run([python, "-m", "fissix", "-w", "-n", "--no-diffs", source / "trep"], check=True,
                   env=dict(os.environ, XDG_CACHE_HOME=str(source.parent / "cache")),
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for file in (source / "trep").rglob("*.py"):
        edit(file, (r"\bnp\.int\b", "int", False), (r"\bgetargspec\b", "getfullargspec", False),
             (r"\bspec\.keywords\b", "spec.varkw", False))


def port_c(core):
    for file in core.rglob("*.[ch]"):
        edit(file, (r"(\w+)->ob_type\b", r"Py_TYPE(\1)", False),
             (r"PyObject_HEAD_INIT\(NULL\)\s*0,", "PyVarObject_HEAD_INIT(NULL, 0)", False))
    edit(core / "c_api.h", (r"PyCObject_FromVoidPtr\((\(void \*\)&trep_API_def), NULL\)",
                            r'PyCapsule_New(\1, "trep._C_API", NULL)', True))
    # The module's init function now returns the module, and NULL where it fails.
    edit(core / "_trep.c", (r"PyMODINIT_FUNC init_trep\(void\)", MODULE_DEF, True), (r"\breturn;", "return NULL;", True),
         (r"Py_InitModule3\(.*?\);", "PyModule_Create(&trep_module);", True), (r"\}\s*\Z", "    return m;\n}\n", True))
