#!/usr/bin/env python3
"""Adds up the reports of a test run and prints `N passed, N failed` as the last line.

usage: summarize_tests.py REPORTS...

Each REPORTS, of one build, holds ctest.xml (what CTest ran) and one GoogleTest report NAME.json for each program that has cases. A program
without a report counts as one test; a program that failed but whose report shows no failure (it crashed, hung or was
ended) counts as one failure and is named. A program that skipped itself is named and not counted. A build without
ctest.xml did not get as far as its tests: one failure.
"""
import json
import pathlib
import sys
import xml.etree.ElementTree as ET


def cases(report):
    """(passed, names of failed) of one GoogleTest report."""
    passed, failed = 0, []
    for suite in json.loads(report.read_text())["testsuites"]:
        for case in suite["testsuite"]:
            if case.get("status") != "RUN":
                continue
            if case.get("failures"):
                failed.append(f"{suite['name']}.{case['name']}")
            else:
                passed += 1
    return passed, failed


def was_skipped(test):
    """The test itself said that it cannot run here, by its exit code. One that could not be started is no such test."""
    found = test.find("skipped")
    return found is not None and found.get("message", "").startswith("SKIP_RETURN_CODE")


def summarize(folder):
    passed, failed, skipped = 0, [], []
    for test in ET.parse(folder / "ctest.xml").getroot().iter("testcase"):
        name, ok = test.get("name"), test.get("status") == "run"
        if was_skipped(test):
            skipped.append(name)
            continue
        report = folder / f"{name}.json"
        if report.exists():
            good, bad = cases(report)
            passed += good
            failed += [f"{name}: {case}" for case in bad]
            if not ok and not bad:
                failed.append(f"{name}: ended without a result")
        elif ok:
            passed += 1
        else:
            failed.append(name)
    return passed, failed, skipped


def summarize_all(folders):
    """The same of several builds; names say of which."""
    passed, failed, skipped = 0, [], []
    for folder in folders:
        build = folder.resolve().parent.name
        if not (folder / "ctest.xml").exists():
            failed.append(f"{build}: no tests were run")
            continue
        good, bad, left_out = summarize(folder)
        prefix = f"{build}: " if len(folders) > 1 else ""
        passed += good
        failed += [prefix + name for name in bad]
        skipped += [prefix + name for name in left_out]
    return passed, failed, skipped


def main():
    passed, failed, skipped = summarize_all([pathlib.Path(word) for word in sys.argv[1:]])
    for name in failed:
        print("FAILED  " + name)
    for name in skipped:
        print("skipped " + name)
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
