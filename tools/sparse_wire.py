#!/usr/bin/env python3
"""What the planner's choice of a sparse product puts on the wire, beside what other libraries move. Needs Open MPI 4.

usage: sparse_wire.py [--probe PATH] [--only random,trend,laplacian,rmat] [--ranks 4,9,...] [--degrees 2,4,...] [--json]
                      [--kept FILE]

Bytes that ranks receive, one product minus none (set-up and planning are in both), as the monitoring below the MPI interface
counts them (tools/wirecount). Every count is compared with what the ranks counted themselves, byte for byte. Two random
matrices with d entries per row and n = 65536 rows, in bytes per rank and n:
  busiest    the busiest rank over the mean; at most 1.25
  peer       the best of PETSc, CombBLAS 2D and 3D (bench/spgemm_peers.hpp); at most 1, and 0.75 for sqrt P < d < 4 sqrt P
  model      the best of 1D, 2D and 3D at 12 bytes per entry; at most 1.1 where it is above 20 bytes
  trend      for other numbers of ranks: what lies between the two that the table has, drawn in logarithms; at most 1.1 of
             the larger of the two
and for all 16 ranks together the 5-point Laplacian of 256 x 256 squared (PETSc: 0.85 MB) and R-MAT of scale 14 squared
(CombBLAS 2D: 13.5 MB). The exit code is 1 if anything is missed. --kept FILE: counts are kept there, and those that it has
are not counted again.
"""
import argparse
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
N = 65536
DEGREES = (2, 4, 8, 16, 32)
RANKS = (4, 9, 16, 25, 36, 64)
TREND = (6, 7, 8, 11, 32)
WHOLE = {"laplacian": ("stencil5 nx=256", "laplacian_peer_mb"), "rmat": ("rmat scale=14 d=8", "rmat_peer_mb")}


class Miscount(Exception):
    """What the ranks counted is not what was on the wire."""


def peers():
    """(P, d) -> the best peer's bytes per rank and n, and the model's."""
    text = (ROOT / "bench" / "spgemm_peers.hpp").read_text()
    rows = re.findall(r"\{(\d+), (\d+), ([\d.]+), ([\d.]+), ([\d.]+), ([\d.]+)\}", text)
    return {(int(p), int(d)): (min(map(float, others)), float(model)) for p, d, *others, model in rows}


def whole_peer(name):
    text = (ROOT / "bench" / "spgemm_peers.hpp").read_text()
    return float(re.search(name + r" = ([\d.]+);", text).group(1)) * 1e6


def run(probe, ranks, *words, mpirun="mpirun"):
    """Bytes that each rank received on the wire, and what the probe says of itself."""
    command = [sys.executable, str(ROOT / "tools" / "wirecount"), "-n", str(ranks), "--json", "--mpirun", mpirun, "--",
               str(probe), *words]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        # With many more ranks than cores Open MPI 4.1 sometimes loses a rank after MPI_Finalize.
        print(f"sparse_wire: {ranks} ranks ended with {done.returncode}, once more", file=sys.stderr)
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{probe} on {ranks} ranks: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    lines = done.stdout.splitlines()
    ours = json.loads(next(line for line in lines if line.startswith("TRAFFIC ")).split(" ", 1)[1])
    wire = [rank["messages"] for rank in json.loads(lines[-1])["ranks"]]
    if len(ours) != ranks:
        raise Miscount(f"{len(ours)} of {ranks} ranks counted")
    for rank, (counted, seen) in enumerate(zip(ours, wire)):
        for key, value in counted.items():
            if value != seen[key]:
                raise Miscount(f"rank {rank}: {key} is {value}, and {seen[key]} on the wire")
    method = next((line.split(" ", 1)[1] for line in lines if line.startswith("METHOD ")), "")
    return [rank["received_bytes"] for rank in wire], method


def product(probe, ranks, generator, mpirun="mpirun"):
    """Bytes that each rank received for one product by the planner's choice, and what that is."""
    (none, _), (one, method) = (run(probe, ranks, generator, times, mpirun=mpirun) for times in "01")
    return [y - x for x, y in zip(none, one)], method


def random_product(probe, ranks, d, mpirun="mpirun"):
    moved, method = product(probe, ranks, f"er n={N} d={d}", mpirun)
    mean = sum(moved) / ranks
    return {"kind": "random", "ranks": ranks, "d": d, "method": method, "mean": mean / N, "busiest": max(moved) / N,
            "over_mean": max(moved) / max(1, mean), "misses": []}


def judge(row, known):
    """Adds what a row is compared with, and what it misses."""
    def at_most(value, limit, what):
        if value > limit:
            row["misses"].append(f"{what} {value:.2f} > {limit:g}")

    p, d = row["ranks"], row["d"]
    at_most(row["over_mean"], 1.25, "busiest")
    if (p, d) in peers():
        row["peer"], row["model"] = peers()[p, d]
        at_most(row["mean"] / row["peer"], 0.75 if p < d * d < 16 * p else 1, "peer")
        if row["model"] > 20:
            at_most(row["mean"] / row["model"], 1.1, "model")
    if p in TREND:
        below, above = (known[side, d] for side in (max(q for q in RANKS if q < p), min(q for q in RANKS if q > p)))
        share = math.log(p / below["ranks"]) / math.log(above["ranks"] / below["ranks"])
        row["trend"] = math.exp((1 - share) * math.log(below["mean"]) + share * math.log(above["mean"]))
        at_most(row["mean"] / max(below["mean"], above["mean"]), 1.1, "of its neighbours")
    return row


def whole(probe, name, mpirun="mpirun"):
    generator, peer = WHOLE[name]
    moved, method = product(probe, 16, generator, mpirun)
    row = {"kind": name, "ranks": 16, "case": generator, "method": method, "bytes": sum(moved), "peer": whole_peer(peer),
           "busiest": max(moved), "misses": []}
    if row["bytes"] > row["peer"]:
        row["misses"].append(f"{row['bytes'] / 1e6:.2f} MB > {row['peer'] / 1e6:g}")
    return row


def text_of(row):
    met = "; ".join(row["misses"]) or "met"
    if row["kind"] != "random":
        return (f"{row['ranks']:>5}  {row['case']}: {row['bytes'] / 1e6:.3f} MB of {row['peer'] / 1e6:g} "
                f"({row['bytes'] / row['peer']:.2f}), busiest rank {row['busiest'] / 1e3:.1f} KB, {row['method']}: {met}")

    def over(key):
        return f"{row[key]:>8.2f}{row['mean'] / row[key]:>6.2f}" if key in row else " " * 14
    return (f"{row['ranks']:>5}{row['d']:>4}  {row['method']:<32}{row['mean']:>8.2f}{row['busiest']:>9.2f}"
            f"{row['over_mean']:>7.2f}{over('peer')}{over('model')}{over('trend')}  {met}")


HEADER = (f"{'P':>5}{'d':>4}  {'method':<32}{'mean':>8}{'busiest':>9}{'/mean':>7}{'peer':>8}{'/':>6}{'model':>8}{'/':>6}"
          f"{'trend':>8}{'/':>6}")


def kept(file):
    rows = json.loads(file.read_text()) if file and file.exists() else []
    return {(row["ranks"], row["d"]): row for row in rows}


def numbers(text):
    return [int(x) for x in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--probe", default=ROOT / "build" / "openmpi" / "bin" / "sparse_wire_probe")
    parser.add_argument("--mpirun", default=shutil.which("mpirun.openmpi") or "mpirun")
    parser.add_argument("--only", default="random,trend,laplacian,rmat", type=lambda text: text.split(","))
    parser.add_argument("--ranks", default=RANKS, type=numbers)
    parser.add_argument("--degrees", default=DEGREES, type=numbers)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--kept", type=pathlib.Path)
    options = parser.parse_args()
    rows, known = [], kept(options.kept)

    def add(row):
        rows.append(row)
        if not options.json:
            print(text_of(row), flush=True)

    def measured(ranks, d):
        if (ranks, d) not in known:
            known[ranks, d] = random_product(options.probe, ranks, d, options.mpirun)
            if options.kept:
                options.kept.write_text(json.dumps(list(known.values())))
        return dict(known[ranks, d], misses=[])

    if not options.json:
        print(HEADER, flush=True)
    for p in options.ranks if "random" in options.only else ():
        for d in options.degrees:
            add(judge(measured(p, d), known))
    for p in TREND if "trend" in options.only else ():
        for d in options.degrees:
            for side in (max(q for q in RANKS if q < p), min(q for q in RANKS if q > p)):
                measured(side, d)
            add(judge(measured(p, d), known))
    for name in WHOLE:
        if name in options.only:
            add(whole(options.probe, name, options.mpirun))
    missed = sum(bool(row["misses"]) for row in rows)
    print(json.dumps(rows, indent=1) if options.json else f"{len(rows) - missed} of {len(rows)} rows met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
