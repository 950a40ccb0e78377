import type { ToastContent, ToastRequest } from "./store.ts";

export interface Toast extends ToastContent {
  readonly id: number;
}

/** More would cover the page of a small phone. The oldest go first. */
const MOST_AT_ONCE = 4;

let toasts: readonly Toast[] = [];
let lastId = 0;
let tell: (toasts: readonly Toast[]) => void = () => {};

/** Does what is asked. */
export function handle(request: ToastRequest): void {
  if ("show" in request) add(request.show);
  else replace(toasts.filter((toast) => toast.group !== request.dismissGroup));
}

export function dismissToast(id: number): void {
  replace(toasts.filter((toast) => toast.id !== id));
}

/** Returns the toasts that are shown, oldest first. */
export function currentToasts(): readonly Toast[] {
  return toasts;
}

/** Calls back with the toasts on every change. */
export function onToastsChange(listener: typeof tell): void {
  tell = listener;
}

function add(content: ToastContent): void {
  lastId += 1;
  const others = toasts.filter(({ group }) => group === undefined || group !== content.group);
  replace([...others, { ...content, id: lastId }].slice(-MOST_AT_ONCE));
}

function replace(next: readonly Toast[]): void {
  toasts = next;
  tell(next);
}
