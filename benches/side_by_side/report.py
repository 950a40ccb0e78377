"""Writes the results: the figures to figures.json, the table to performance.md, and a plot for each part."""

import json
import re
from datetime import date

import pygal
from pygal.style import Style

BEGIN, END = "<!-- figures: written by scripts/bench -->", "<!-- end of figures -->"

STYLE = Style(
    background="white",
    plot_background="white",
    font_family="sans-serif",
    colors=("#0b6e4f", "#8a8a8a", "#c0c0c0", "#d9a441"),
    label_font_size=14,
    major_label_font_size=14,
    legend_font_size=14,
    title_font_size=16,
    value_font_size=12,
)

PLOTS = {
    "pages": "Processor time a request, in microseconds (less is better)",
    "connections": "Processor time a request on a new connection, in microseconds (less is better)",
    "inserts": "Durable inserts a second (more is better)",
}


def ratios(row):
    """Returns the lines of a row: the server compared with, the ratio, the limit, and whether it is met."""
    own, *_ = row["figures"].values()
    for other, limit in row["limits"].items():
        if other in row["figures"]:
            ratio = own / row["figures"][other]
            # A negative limit is a lower bound.
            kept = ratio >= -limit if limit < 0 else ratio <= limit
            yield other, f"{ratio:.2f}", f"{'≥' if limit < 0 else '≤'} {abs(limit):.2f}", kept
        else:
            yield "", f"{own:.1f} {row['unit']}", f"≤ {limit} {row['unit']}", own <= limit


def text(value, unit):
    return f"{value:,.0f} {unit}" if value >= 1000 else f"{value:.1f} {unit}"


def table(results):
    lines = ["| what | figures | compared with | ratio | to reach | |", "|---|---|---|---|---|---|"]
    for rows in results["parts"].values():
        for row in rows:
            figures = " · ".join(f"{name} {text(value, row['unit'])}" for name, value in row["figures"].items())
            for other, ratio, limit, kept in ratios(row):
                lines.append(f"| {row['what']} | {figures} | {other} | {ratio} | {limit} | {'yes' if kept else 'no'} |")
                figures = ""
    return "\n".join(lines)


def plot(rows, title, file):
    rows = [row for row in rows if len(row["figures"]) > 1 and row["unit"] == rows[-1]["unit"]]
    names = list(dict.fromkeys(name for row in rows for name in row["figures"]))
    chart = pygal.Bar(js=(), style=STYLE, title=title, height=420, width=900, print_values=True, legend_at_bottom=True)
    chart.value_formatter = lambda value: "" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.1f}"
    chart.x_labels = [row["what"] for row in rows]
    for name in names:
        chart.add(name, [row["figures"].get(name) for row in rows])
    # Otherwise, the ids would differ in each run.
    chart.uuid = file.stem
    file.write_bytes(chart.render())


def write(docs, measured, machine):
    """Merges the measured parts with those of earlier runs, and rewrites everything."""
    folder = docs / "performance"
    folder.mkdir(exist_ok=True)
    kept = folder / "figures.json"
    results = json.loads(kept.read_text()) if kept.exists() else {"parts": {}, "machine": {}}
    results["parts"].update(measured)
    for part in measured:
        results["machine"][part] = {"date": date.today().isoformat(), **machine}
    kept.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    for part, title in PLOTS.items():
        if part in results["parts"]:
            plot(results["parts"][part], title, folder / f"{part}.svg")
    plots = [f"![{title}](performance/{part}.svg)" for part, title in PLOTS.items() if part in results["parts"]]
    seen = dict.fromkeys(", ".join(facts.values()) for facts in results["machine"].values())
    page = docs / "performance.md"
    written = "\n\n".join([BEGIN, table(results), *plots, *(f"Measured: {facts}." for facts in seen), END])
    page.write_text(re.sub(f"{re.escape(BEGIN)}.*{re.escape(END)}", lambda _: written, page.read_text(), flags=re.S))
    return table(results)
