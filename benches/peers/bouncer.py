"""The long run: carom's chaotic bouncer, its CPU time and its memory. No peer does this work.

The program prints a line of a table per kind of jump; what it has used of the processor is read off
at every line, and the high-water mark of its memory all the while.
"""
import os
import pathlib
import subprocess
import threading

IMPACTS = ("1e5", "1e6")
METHOD = "trapezoidal"


def rows(program, folder):
    """One row per number of impacts and kind of jump."""
    for impacts in IMPACTS:
        yield from run([program, impacts, METHOD], float(impacts), folder)


def run(command, wanted, folder):
    child = subprocess.Popen(command, cwd=folder, text=True, stdout=subprocess.PIPE)
    memory, ended = Memory(child.pid), threading.Event()
    watcher = threading.Thread(target=memory.watch, args=(ended,))
    watcher.start()
    used, names, found = 0.0, [], []
    for line in child.stdout:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        before, used = used, cpu_time(child.pid)
        if not names:
            names = cells
        elif len(cells) == len(names) and not cells[0].startswith("-"):
            table = dict(zip(names, cells))
            found.append(dict(
                peer="carom", work="bouncer", setting=METHOD + ", jump " + table["jump"], wall_s=used - before,
                n_impacts=int(table["impacts"]), wanted=int(wanted), steps=int(table["steps"]),
                drift=float(table["max dE/E0"])))
    ended.set()
    watcher.join()
    # Unlike Popen.wait, this also says what the child has used.
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise OSError("%s ended with %d" % (command[0], child.returncode))
    peak = memory.most or usage.ru_maxrss * 1024
    return [dict(row, peak_bytes=peak, total_cpu_s=usage.ru_utime + usage.ru_stime) for row in found]


def cpu_time(pid):
    """User and system seconds of a process so far, also after its end as long as nobody waited for it."""
    fields = pathlib.Path("/proc/%d/stat" % pid).read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Memory:
    """High-water mark of a process.

    Not ru_maxrss of the child: that begins with the memory of the process that started it, and
    Python needs more than carom.
    """

    def __init__(self, pid):
        self.status, self.most = pathlib.Path("/proc/%d/status" % pid), 0

    def watch(self, ended):
        while not ended.wait(0.02):
            for line in self.status.read_text().splitlines():
                # The first look may come before the child has become another program.
                if line.startswith("Name:") and "python" in line:
                    break
                if line.startswith("VmHWM:"):
                    self.most = max(self.most, 1024 * int(line.split()[1]))
