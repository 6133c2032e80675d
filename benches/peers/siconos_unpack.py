"""Siconos from Debian's packages, unpacked into a folder: needs no root, and leaves the system alone.

There is no Siconos on PyPI. Debian's package `siconos` (the command that compiles drivers) depends on
many header packages; Python needs none of them.
"""
import os
import pathlib
import shlex
import shutil
import subprocess

PYTHON = "/usr/bin/python3"  # the one that Debian's modules are built for
PACKAGE = "python3-siconos"
NOT_NEEDED = ("siconos", "python3")


def unpack(folder, python):
    """Fills `folder`, and writes `python`: Debian's Python that sees what is there."""
    python.parent.mkdir(parents=True)
    if subprocess.run([PYTHON, "-c", "import siconos.kernel"], capture_output=True).returncode == 0:
        write(python, {})
        return
    for tool in ("apt-get", "apt-cache", "dpkg-deb"):
        if not shutil.which(tool):
            raise OSError("no %s: this is not Debian or Ubuntu" % tool)
    packages = folder / "packages"
    packages.mkdir()
    names = [PACKAGE] + missing(needed())
    output(["apt-get", "download"] + names, cwd=packages)
    root = folder / "root"
    for package in sorted(packages.glob("*.deb")):
        output(["dpkg-deb", "-x", package, root])
    shutil.rmtree(packages)
    # OpenBLAS and others keep their libraries in folders of their own.
    libraries = sorted({str(path.parent) for path in root.glob("usr/lib/*-linux-gnu/**/*.so*")})
    write(python, {"LD_LIBRARY_PATH": ":".join(libraries), "PYTHONPATH": str(root / "usr/lib/python3/dist-packages")})


def needed():
    """Packages that Siconos depends on itself."""
    plain = ["--no-recommends", "--no-suggests", "--no-conflicts", "--no-breaks", "--no-replaces", "--no-enhances"]
    lines = output(["apt-cache", "depends"] + plain + [PACKAGE]).splitlines()
    names = {line.split(":", 1)[1].strip() for line in lines if line.strip().startswith("Depends:")}
    return sorted(name for name in names if not name.startswith("<") and name not in NOT_NEEDED)


def missing(names):
    """Those that an installation would add, with all that they depend on. Nothing is installed."""
    lines = output(["apt-get", "-s", "install", "--no-install-recommends"] + names).splitlines()
    return [line.split()[1] for line in lines if line.startswith("Inst ")]


def output(command, **more):
    done = subprocess.run(command, text=True, capture_output=True, env=dict(os.environ, LC_ALL="C"), **more)
    if done.returncode:
        reasons = [line for line in done.stderr.splitlines() if line.startswith(("E:", "dpkg"))]
        raise OSError("%s: %s" % (" ".join(map(str, command[:2])), (reasons or ["exit code %d" % done.returncode])[0]))
    return done.stdout


def write(python, variables):
    settings = "".join("export %s=%s\n" % (name, shlex.quote(value)) for name, value in variables.items())
    pathlib.Path(python).write_text("#!/bin/sh\n%sexec %s \"$@\"\n" % (settings, PYTHON))
    python.chmod(0o755)
