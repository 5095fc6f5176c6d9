#!/usr/bin/env python3
"""Words of the busiest rank over the bound, grids against trees, as a Markdown table; or the median and the worst of many numbers of ranks.

    tools/tree_table.py [--cairn build/openmpi/bin/cairn] [--shape 2048,2048,2048] [--first 2] [--last 64] [--columns 9]
    tools/tree_table.py --summary [--shape 16384,16384,16384] --last 4096

Grids: `cairn plan multiply --algorithm cosma`, the fewest words of all grids whose largest brick has at most 1.10 mnk/P voxels.
Trees: `--objective words`, bricks cut by a grid or a tree. No MPI is needed.
"""
import argparse
import json
import statistics
import subprocess


def ratio(cairn, shape, ranks, *words):
    m, n, k = shape
    command = [cairn, "plan", "multiply", "-m", m, "-n", n, "-k", k, "--ranks", ranks, "--machine", "built-in", "--json", *words]
    plan = json.loads(subprocess.run([str(x) for x in command], check=True, capture_output=True, text=True).stdout)
    return plan["words"]["max_to_bound"], plan


def summarize(cairn, shape, every):
    found = {}
    for p in every:
        words, plan = ratio(cairn, shape, p, "--objective", "words")
        found[p] = (words or 1.0, plan["work"], plan["bricks"])
    ratios = [found[p][0] for p in every]
    print(f"{' x '.join(map(str, shape))}, P = {every[0]} .. {every[-1]}: median {statistics.median(ratios):.3f}")
    for name, key in (("words over the bound", 0), ("largest brick over mnk/P", 1)):
        worst = sorted((p for p in every if p >= 9), key=lambda p: -found[p][key])[:5]
        print(f"  {name}, worst from 9 ranks on: " + ", ".join(f"{found[p][key]:.3f} (P = {p})" for p in worst))
    above = [p for p in every if p >= 9 and found[p][0] > 1.10]
    print("  above 1.10: " + (", ".join(f"{p}: {found[p][0]:.3f} {found[p][2]}" for p in above) or "none"), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cairn", default="build/openmpi/bin/cairn")
    parser.add_argument("--shape", default="2048,2048,2048", help="m,n,k")
    parser.add_argument("--first", type=int, default=2)
    parser.add_argument("--last", type=int, default=64)
    parser.add_argument("--summary", action="store_true", help="median and worst instead of a table")
    parser.add_argument("--columns", type=int, default=16, help="of one table; the next ones follow below")
    options = parser.parse_args()
    shape = [int(x) for x in options.shape.split(",")]
    every = range(options.first, options.last + 1)
    if options.summary:
        return summarize(options.cairn, shape, every)
    grids = {p: ratio(options.cairn, shape, p, "--algorithm", "cosma")[0] for p in every}
    trees = {p: ratio(options.cairn, shape, p, "--objective", "words")[0] for p in every}
    for start in range(options.first, options.last + 1, options.columns):
        ranks = [p for p in every if start <= p < start + options.columns]
        print("| ranks | " + " | ".join(str(p) for p in ranks) + " |")
        print("| --- |" + " --- |" * len(ranks))
        print("| best grid | " + " | ".join(f"{grids[p]:.2f}" for p in ranks) + " |")
        print("| grid or tree | " + " | ".join(f"{trees[p]:.2f}" for p in ranks) + " |")
        print()


if __name__ == "__main__":
    main()
