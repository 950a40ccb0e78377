/** Faults, each as `where: what`: what stands on every page, as header and footer do, is told once. */
export function toldOnce(faults: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const fault of faults) {
    const what = fault.slice(fault.indexOf(": "));
    if (!first.has(what)) first.set(what, fault);
  }
  return [...first.values()];
}
