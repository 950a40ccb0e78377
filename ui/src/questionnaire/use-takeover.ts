import { useEffect, useLayoutEffect, useState } from "react";

/**
 * Returns whether the form is still as served. It is on the first render, which must match the document; afterwards only
 * the shown question remains, with its focus and contents, and the visitor's pending action is carried out. `catchUp`
 * applies what the visitor has done until then: hydrating takes time.
 */
export function useTakeover(root: HTMLElement, catchUp: () => void, goOn: () => void, goBack: () => void): boolean {
  const [isServed, setServed] = useState(true);

  useLayoutEffect(() => {
    catchUp();
    root.dataset.mode = "live"; // from now on this code replaces `inline/steps.js`
    root.querySelectorAll(".served-intro, [data-loading]").forEach((element) => element.remove());
    setServed(false);
    // Only once, because from now on every change is reported.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [root]);

  useEffect(() => {
    if (isServed) return;
    // Until now the group had the focus instead of its heading, which has just become an <h1>.
    const { activeElement } = document;
    if (activeElement?.matches("fieldset.question"))
      activeElement.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
    const { intent } = root.dataset;
    if (intent === "back") goBack();
    else if (intent) goOn();
    // Only once, with the form as it is now.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isServed]);

  return isServed;
}
