/** A message for the visitor. */
export interface ToastContent {
  /** Errors interrupt a screen reader, anything else waits. */
  readonly tone: "info" | "error";
  readonly title: string;
  readonly description?: string | undefined;
  /** A page of the server, which the browser opens as a new document. */
  readonly link?: { readonly href: string; readonly label: string } | undefined;
  /** A toast replaces earlier ones of its group, so that pressing a button repeatedly does not pile them up. */
  readonly group?: string;
}

/** A request to the script that shows toasts. */
export type ToastRequest = { readonly show: ToastContent } | { readonly dismissGroup: string };

const REQUEST = "toast-request";

/** Shows a toast until it is closed or times out. */
export function showToast(content: ToastContent): void {
  ask({ show: content });
}

export function dismissGroup(group: string): void {
  ask({ dismissGroup: group });
}

/** Calls back with the requests of this page's two scripts, which can only reach each other by events. */
export function onToastRequest(listener: (request: ToastRequest) => void): void {
  window.addEventListener(REQUEST, (event) => listener((event as CustomEvent<ToastRequest>).detail));
}

function ask(request: ToastRequest): void {
  window.dispatchEvent(new CustomEvent<ToastRequest>(REQUEST, { detail: request }));
}
