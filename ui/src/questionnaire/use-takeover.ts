import { useEffect, useLayoutEffect, useState } from "react";

/**
 * Whether the form is still as it was served. It is when React first renders it, so that every element is found; then only
 * the question that is shown stays, with its focus and what was typed, and what the visitor wanted next is done.
 */
export function useTakeover(
  root: HTMLElement,
  intent: string | undefined,
  goOn: () => void,
  goBack: () => void,
): boolean {
  const [isServed, setServed] = useState(true);

  useLayoutEffect(() => {
    root.dataset.mode = "live"; // what `inline/steps.js` did is done here from now on
    root.querySelectorAll(".served-intro, [data-loading]").forEach((element) => element.remove());
    setServed(false);
  }, [root]);

  useEffect(() => {
    if (isServed) return;
    // Until now the group had the focus in place of its heading, which has become one of the first rank.
    const { activeElement } = document;
    if (activeElement?.matches("fieldset.question"))
      activeElement.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
    if (intent === "back") goBack();
    else if (intent) goOn();
    // Once: what is wanted next is wanted of the form as it is now.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isServed]);

  return isServed;
}
