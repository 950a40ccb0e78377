/** A message for the visitor. */
export interface ToastContent {
  /** An error interrupts a screen reader, anything else waits. */
  readonly tone: "info" | "error";
  readonly title: string;
  readonly description?: string | undefined;
  /** A page of the server, which the browser opens as a document of its own. */
  readonly link?: ToastLink | undefined;
  /** A toast replaces the earlier ones of its group, so that pressing a button again does not pile them up. */
  readonly group?: string;
}

export interface ToastLink {
  readonly href: string;
  readonly label: string;
}

export interface Toast extends ToastContent {
  readonly id: number;
}

/** More would cover the page of a small phone. The oldest go first. */
const MOST_AT_ONCE = 4;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Shows a toast until it is closed or its time is over. */
export function showToast(content: ToastContent): void {
  lastId += 1;
  const others = toasts.filter(({ group }) => group === undefined || group !== content.group);
  replace([...others, { ...content, id: lastId }].slice(-MOST_AT_ONCE));
}

export function dismissToast(id: number): void {
  replace(toasts.filter((toast) => toast.id !== id));
}

export function dismissGroup(group: string): void {
  replace(toasts.filter((toast) => toast.group !== group));
}

/** Returns the toasts that are shown, oldest first; the same array until something changes. */
export function currentToasts(): readonly Toast[] {
  return toasts;
}

/** Calls back on every change. Returns how to stop. */
export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function replace(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
