#!/usr/bin/env python3
"""Install the peers, each into its own virtual environment under .env next to this file.

Needs Python 3.11 or newer and, for trep and Siconos, a C compiler. What is installed already is left
alone. Siconos is optional: it is only to be had on Debian or Ubuntu, and is not installed but unpacked.
"""
import argparse
import hashlib
import pathlib
import shutil
import subprocess
import sys
import venv

import siconos_unpack
import trep_build

HERE = pathlib.Path(__file__).resolve().parent
ENV = HERE / ".env"

# Versions are pinned, so that two runs of the benchmark measure the same peer.
PEERS = {
    "heyoka": ["heyoka==7.13.2", "numpy==2.4.6"],
    "trep": ["numpy==2.4.6", "scipy==1.17.1", "fissix==24.4.24", "setuptools>=77,<81"],
    "mujoco": ["mujoco==4.0.0", "numpy==2.4.6"],
    "scipy": ["scipy==1.17.1", "numpy==2.4.6"],
    "sympy": ["sympy==1.14.0", "scipy==1.17.1", "numpy==2.4.6"],
    "casadi": ["casadi==3.8.2", "numpy==2.4.6"],
    "siconos": [],
}
# Peers without which the rest is worth having.
OPTIONAL = ("siconos",)
# What is imported, where it is not the peer's name.
MODULES = {"siconos": "siconos.kernel"}


def python_of(peer):
    return ENV / peer / "bin" / "python"


def recipe(peer):
    """What an installation depends on; a stamp with other contents means: install again."""
    parts = [sys.version.split()[0]] + PEERS[peer]
    for name, source in (("trep", "trep_build.py"), ("siconos", "siconos_unpack.py")):
        if peer == name:
            parts.append(hashlib.sha256((HERE / source).read_bytes()).hexdigest())
    return "\n".join(parts) + "\n"


def install(peer, fresh):
    folder, stamp = ENV / peer, ENV / peer / "installed.txt"
    if not fresh and stamp.exists() and stamp.read_text() == recipe(peer):
        print("%s: installed already" % peer)
        return
    shutil.rmtree(folder, ignore_errors=True)
    python = python_of(peer)
    if peer == "siconos":
        print("siconos: fetching Debian's packages, unpacking them", flush=True)
        siconos_unpack.unpack(folder, python)
    else:
        print("%s: new virtual environment" % peer, flush=True)
        venv.create(folder, with_pip=True)
        print("%s: pip install %s" % (peer, " ".join(PEERS[peer])), flush=True)
        subprocess.run([python, "-m", "pip", "install", "-q"] + PEERS[peer], check=True)
    if peer == "trep":
        print("trep: fetching 1.0.2, porting it to Python 3, compiling", flush=True)
        trep_build.build(python, ENV / "trep-source")
    # The first import is the proof that the installation works.
    subprocess.run([python, "-c", "import " + MODULES.get(peer, peer)], check=True, cwd=ENV)
    stamp.write_text(recipe(peer))
    print("%s: ready" % peer)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(PEERS), help="peers to install, by comma (default: %(default)s)")
    parser.add_argument("--fresh", action="store_true", help="install again from nothing")
    args = parser.parse_args()
    failed = []
    for peer in args.only.split(","):
        if peer not in PEERS:
            parser.error("no peer %r; there are %s" % (peer, ", ".join(PEERS)))
        # One peer that cannot be had must not keep the others away.
        try:
            install(peer, args.fresh)
        except (subprocess.CalledProcessError, OSError, SystemExit) as error:
            shutil.rmtree(ENV / peer, ignore_errors=True)
            if peer in OPTIONAL:
                print("%s: not installed: %s; it is optional, run.py will say that it is missing" % (peer, error))
            else:
                print("%s: failed: %s" % (peer, error))
                failed.append(peer)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
