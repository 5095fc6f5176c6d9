#!/usr/bin/env python3
"""Words a rank receives in block-cyclic products: the default plan, the one with the fewest words, ScaLAPACK's pdgemm.

    tools/pdgemm_words.py [--cairn build/openmpi/bin/cairn] [--machine FILE|built-in] [--shapes 2048x2048x2048,...]
                          [--ranks 4,6,10,16,24] [--block 64] [--json]

Blocks of 64 on near-square grids. Words are means over the ranks, planned: no MPI is needed once the machine has been
measured (`cairn info`, or any run; --machine built-in does not need it). pdgemm's are in closed form, on r x c processes the
fewest of

    C stays  m/r k (1 - 1/c) + k n/c (1 - 1/r)
    A stays  k/c n - k n / (r c c) + m/r n (1 - 1/c)     B is dealt anew over columns, C summed along rows
    B stays  m k/r - m k / (r r c) + m n/c (1 - 1/r)

as `cairn bench pdgemm --words` counts them on the wire. A row with more than 1.15 times its words says what the fewest
words would take: the seconds of both plans.
"""
import argparse
import json
import subprocess

SHAPES = "2048x2048x2048,512x512x32768,32768x512x512,4096x4096x256,1777x3001x911,5000x300x2600"


def near_square(ranks):
    rows = max(r for r in range(1, ranks + 1) if r * r <= ranks and ranks % r == 0)
    return rows, ranks // rows


def pdgemm_words(m, n, k, r, c):
    return min(m / r * k * (1 - 1 / c) + k * n / c * (1 - 1 / r),
               k / c * n - k * n / (r * c * c) + m / r * n * (1 - 1 / c),
               m * k / r - m * k / (r * r * c) + m * n / c * (1 - 1 / r))


def planned(options, shape, ranks, objective):
    layout = "block-cyclic {}x{} mb={} nb={}".format(*near_square(ranks), options.block, options.block)
    command = [options.cairn, "plan", "multiply", "--ranks", str(ranks), "--json", "--objective", objective]
    for flag, size in zip(("-m", "-n", "-k"), shape):
        command += [flag, str(size)]
    for x in "abc":
        command += [f"--layout-{x}", layout]
    if options.machine:
        command += ["--machine", options.machine]
    plan = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    best = plan["candidates"][0]
    return {"words": best["words_total"] / ranks, "busiest": max(best["words_max"], best["words_max_sent"]),
            "seconds": best["seconds"], "cut": best["cut"], "bricks": best["bricks"]}


def row_of(options, shape, ranks):
    time, words = (planned(options, shape, ranks, objective) for objective in ("time", "words"))
    theirs = pdgemm_words(*shape, *near_square(ranks))
    row = {"shape": "x".join(map(str, shape)), "ranks": ranks, "time": time, "words": words, "pdgemm": theirs}
    row["over_pdgemm"] = time["words"] / theirs
    row["predicted_gain"] = words["seconds"] / time["seconds"]
    return row


def text_of(row):
    more = row["over_pdgemm"] > 1.15
    verdict = "{:.3f} times as fast as planned by words".format(row["predicted_gain"]) if more else ""
    return "{:>16} {:>4} {:>10.0f} {:>10.0f} {:>10.0f} {:>6.2f}  {} {}  {}".format(
        row["shape"], row["ranks"], row["time"]["words"], row["words"]["words"], row["pdgemm"], row["over_pdgemm"],
        row["time"]["cut"], row["time"]["bricks"], verdict)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cairn", default="build/openmpi/bin/cairn")
    parser.add_argument("--machine")
    parser.add_argument("--shapes", default=SHAPES)
    parser.add_argument("--ranks", default="4,6,10,16,24")
    parser.add_argument("--block", type=int, default=64)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    shapes = [tuple(map(int, shape.split("x"))) for shape in options.shapes.split(",")]
    rows = [row_of(options, shape, int(ranks)) for shape in shapes for ranks in options.ranks.split(",")]
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    print("{:>16} {:>4} {:>10} {:>10} {:>10} {:>6}  plan".format("m x n x k", "P", "default", "fewest", "pdgemm", "ratio"))
    for row in rows:
        print(text_of(row))
    print(f"{sum(row['over_pdgemm'] > 1.15 for row in rows)} of {len(rows)} rows above 1.15")


if __name__ == "__main__":
    main()
