/** Removes repeated faults (`where: what`), such as those of the header, which every page has. */
export function withoutRepeats(faults: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const fault of faults) {
    const what = fault.slice(fault.indexOf(": "));
    if (!first.has(what)) first.set(what, fault);
  }
  return [...first.values()];
}
