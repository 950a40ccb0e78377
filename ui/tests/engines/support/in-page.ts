/** An element as visitors perceive it: its role and its name. */
export interface Target {
  readonly role: Role;
  /** The full name, or its beginning if no element matches exactly. */
  readonly name: string;
  /** The part of the page; anywhere if absent. */
  readonly inside?: Part;
}

export type Part = "main";

export type Role =
  | "alert"
  | "button"
  | "checkbox"
  | "heading"
  | "link"
  | "progressbar"
  | "radio"
  | "status"
  | "textbox";

/** Whether to scroll to the element. */
export type Approach = "stay" | "scroll";

/** What a test can query about an element. */
export interface Seen {
  /** Where a click would hit it; null while it is covered or outside the viewport. */
  readonly point: { readonly x: number; readonly y: number } | null;
  readonly value: string;
  readonly isChecked: boolean;
  readonly isFocused: boolean;
  readonly isInvalid: boolean;
  readonly isDisabled: boolean;
}

/**
 * Returns the state of an element, or null if the page does not show it. It runs in the page, so it uses nothing from outside,
 * and its helpers are methods of an object, because the test compiler wraps named functions in a helper that the page lacks.
 */
export function look(target: Target, approach: Approach): Seen | null {
  const selectors: Record<Role, string> = {
    alert: "[role=alert]",
    button: "button, [role=button], input[type=submit]",
    checkbox: "input[type=checkbox]",
    heading: "h1, h2, h3, h4",
    link: "a[href]",
    progressbar: "progress, [role=progressbar]",
    radio: "input[type=radio]",
    status: "[role=status]",
    textbox: "input:not([type]), input[type=text], input[type=email], input[type=tel], textarea",
  };
  const page = {
    textOf(element: Element | null): string {
      return (element?.textContent ?? "").replaceAll(/\s+/g, " ").trim();
    },
    nameOf(element: Element): string {
      const label = element.getAttribute("aria-label");
      if (label) return label;
      const labelledBy = (element.getAttribute("aria-labelledby") ?? "").split(/\s+/);
      const labels = [
        ...labelledBy.map((id) => document.getElementById(id)),
        ...((element as HTMLInputElement).labels ?? []),
      ];
      const named = labels.map((label) => page.textOf(label)).filter(Boolean);
      return named.length > 0 ? named.join(" ") : page.textOf(element);
    },
    /** Returns the centre of the first box of the element or its labels that a click would hit. */
    pointOf(element: Element): Seen["point"] {
      for (const part of [element, ...((element as HTMLInputElement).labels ?? [])]) {
        const box = part.getClientRects()[0];
        if (!box) continue;
        const point = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
        const hit = document.elementFromPoint(point.x, point.y);
        const label = hit?.closest("label");
        if (hit && (part.contains(hit) || hit.contains(element) || label?.control === element)) return point;
      }
      return null;
    },
  };
  const scope = target.inside ?? "body";
  const shown = [...document.querySelectorAll(selectors[target.role])].filter(
    (element) => element.closest(scope) !== null && element.checkVisibility({ visibilityProperty: true }),
  );
  const element =
    shown.find((element) => page.nameOf(element) === target.name) ??
    shown.find((element) => page.nameOf(element).startsWith(target.name));
  if (!element) return null;
  if (approach === "scroll") element.scrollIntoView({ block: "center", behavior: "instant" });
  const { value, checked, disabled } = element as HTMLInputElement;
  return {
    point: page.pointOf(element),
    value: value ?? "",
    isChecked: checked ?? false,
    isFocused: document.activeElement === element,
    isInvalid: element.getAttribute("aria-invalid") === "true",
    isDisabled: disabled ?? false,
  };
}

/**
 * Returns whether the browser has painted the page, and no fade from the previous page is running. On a busy machine,
 * Firefox sometimes records no entry for a paint that is plainly visible, so after some seconds a page counts as painted.
 */
export function isPainted(): boolean {
  const isFading = document
    .getAnimations()
    .some(({ effect }) => (effect as KeyframeEffect | null)?.pseudoElement?.startsWith("::view-transition"));
  const hasPaint = performance.getEntriesByName("first-contentful-paint").length > 0;
  return !isFading && (hasPaint || performance.now() > 5000);
}

/** Returns whether the document has loaded and its scripts, if enabled, have started. */
export function isReady(scripts: "on" | "off"): boolean {
  if (document.readyState !== "complete") return false;
  if (scripts === "off") return true;
  const hasIsland = document.querySelector("[data-mode=step]") === null;
  // Private pages and the desk lack the script that sets `data-started`.
  const hasStarted =
    document.querySelector('script[src*="/app."]') === null || document.documentElement.dataset.started !== undefined;
  return hasIsland && hasStarted;
}
