#!/usr/bin/env python3
"""Is the planner right about CAPS on slow links? Seven hosts of tools/vcluster, several rates and sizes: for each the predicted and
the measured seconds of the best classical schedule and of one BFS step, and which of them `--fast auto` takes.

usage: fast_on_slow_links.py [--rates 100mbit,1gbit,none] [--sizes 2048,3584] [--rounds 2] [--repeat 1] [--json FILE] [CAIRN]

A host may hold twice the words of one matrix: it would be soonest on slow links to make matrices that nobody has placed yet on one
host, and to multiply them there. A case counts where the two differ by more than 10 %. Needs root, as vcluster does; on a quiet machine it takes about five minutes.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
HOSTS = 7
DIFFERENT = 1.10


def limit(n):
    return ["--memory", 2 * 8 * n * n]


def cluster(*words):
    run = subprocess.run([sys.executable, ROOT / "tools" / "vcluster", "--name", "fastlinks", *map(str, words)], capture_output=True,
                         text=True)
    if run.returncode != 0:
        sys.exit(f"vcluster {' '.join(map(str, words))}:\n{run.stdout}{run.stderr}")
    return run.stdout


def multiply(program, machine, n, fast, repeat):
    shown = json.loads(cluster("run", HOSTS, program, "multiply", "-N", n, "--machine", machine, "--fast", fast, "--repeat", repeat,
                               "--verify-rounds", 1, *limit(n), "--json"))
    if not shown["verified"]:
        sys.exit(f"-N {n} --fast {fast}: the result is wrong")
    return shown


def planned(program, machine, n):
    command = [program, "plan", "multiply", "-N", n, "--ranks", HOSTS, "--machine", machine, "--fast", "auto", *limit(n), "--json"]
    return json.loads(subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout)


def case(program, machine, n, rate, rounds, repeat):
    seconds = {"off": [], "B": []}
    predicted = {}
    for i in range(rounds):  # interleaved, every second time in the other order
        for fast in sorted(seconds, reverse=i % 2 == 1):
            shown = multiply(program, machine, n, fast, repeat)
            seconds[fast].append(shown["seconds"]["median"])
            predicted[fast] = shown["seconds"]["predicted"]
    plan = planned(program, machine, n)
    median = {fast: statistics.median(s) for fast, s in seconds.items()}
    taken = "B" if "B" in plan["schedule"] else "off"
    ratio = max(median.values()) / min(median.values())
    right = median[taken] == min(median.values())
    return {"n": n, "rate": rate, "predicted": predicted, "seconds": median, "auto": plan["schedule"] or f"classical {plan['grid']}",
            "levels": plan["levels"], "differ": ratio > DIFFERENT, "right": right}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--rates", default="100mbit,1gbit,none")
    parser.add_argument("--sizes", default="2048,3584")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=1, help="products in a launch")
    parser.add_argument("--json")
    parser.add_argument("program", nargs="?", default=str(ROOT / "build" / "openmpi" / "bin" / "cairn"))
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for rate in given.rates.split(","):
            cluster("up", HOSTS, rate)
            try:
                machine = f"{folder}/{rate}.json"
                cluster("run", HOSTS, given.program, "info", "--save", machine)
                rows += [case(given.program, machine, int(n), rate, given.rounds, given.repeat) for n in given.sizes.split(",")]
            finally:
                cluster("down")
    print("links      n     classical, s (predicted)   CAPS, s (predicted)   auto takes            right")
    for r in rows:
        s, p = r["seconds"], r["predicted"]
        verdict = ("yes" if r["right"] else "NO") if r["differ"] else "alike"
        print(f"{r['rate']:8} {r['n']:5} {s['off']:13.3f} ({p['off']:.3f}) {s['B']:13.3f} ({p['B']:.3f})   {r['auto']:20}  {verdict}")
    wrong = sum(r["differ"] and not r["right"] for r in rows)
    print(f"{len(rows)} cases, {sum(r['differ'] for r in rows)} differ by more than 10 %, the planner is wrong in {wrong}")
    if given.json:
        pathlib.Path(given.json).write_text(json.dumps(rows, indent=1))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
