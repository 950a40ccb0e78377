"""Prints the findings of a Wapiti report. Exits with 1 if any of them does not match the pattern of known ones."""

import json
import re
import sys

report_file, known = sys.argv[1:]
with open(report_file, encoding="utf-8") as file:
    report = json.load(file)

new = 0
for group in ("vulnerabilities", "anomalies"):
    for kind, findings in report[group].items():
        for finding in findings:
            is_known = re.fullmatch(known, finding["info"])
            new += not is_known
            print(f"{'known' if is_known else 'FOUND'}: {kind}: {finding['method']} {finding['path']}: {finding['info']}")
print(f"{new} new findings")
sys.exit(new > 0)
