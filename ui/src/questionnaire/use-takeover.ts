import { useEffect, useLayoutEffect, useState } from "react";

/**
 * Returns whether the form is still as served. It is on the first render, which must match the document; afterwards only
 * the shown question remains, with its focus and contents, and the pending `intent` is carried out.
 */
export function useTakeover(
  root: HTMLElement,
  intent: string | undefined,
  goOn: () => void,
  goBack: () => void,
): boolean {
  const [isServed, setServed] = useState(true);

  useLayoutEffect(() => {
    root.dataset.mode = "live"; // from now on this code replaces `inline/steps.js`
    root.querySelectorAll(".served-intro, [data-loading]").forEach((element) => element.remove());
    setServed(false);
  }, [root]);

  useEffect(() => {
    if (isServed) return;
    // Until now the group had the focus instead of its heading, which has just become an <h1>.
    const { activeElement } = document;
    if (activeElement?.matches("fieldset.question"))
      activeElement.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
    if (intent === "back") goBack();
    else if (intent) goOn();
    // Only once, with the form as it is now.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isServed]);

  return isServed;
}
