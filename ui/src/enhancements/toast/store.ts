/** A message for the visitor. */
export interface ToastContent {
  /** An error interrupts a screen reader, anything else waits. */
  readonly tone: "info" | "error";
  readonly title: string;
  readonly description?: string | undefined;
  /** A page of the server, which the browser opens as a document of its own. */
  readonly link?: { readonly href: string; readonly label: string } | undefined;
  /** A toast replaces the earlier ones of its group, so that pressing a button again does not pile them up. */
  readonly group?: string;
}

/** What is asked of the one who shows toasts. */
export type ToastRequest = { readonly show: ToastContent } | { readonly dismissGroup: string };

const REQUEST = "toast-request";

/** Shows a toast until it is closed or its time is over. */
export function showToast(content: ToastContent): void {
  ask({ show: content });
}

export function dismissGroup(group: string): void {
  ask({ dismissGroup: group });
}

/** Calls back with what the scripts of this page ask. There are two: events reach one from the other. */
export function onToastRequest(listener: (request: ToastRequest) => void): void {
  window.addEventListener(REQUEST, (event) => listener((event as CustomEvent<ToastRequest>).detail));
}

function ask(request: ToastRequest): void {
  window.dispatchEvent(new CustomEvent<ToastRequest>(REQUEST, { detail: request }));
}
