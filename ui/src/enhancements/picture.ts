import type { Enhancement } from "./enhancement.ts";

/** What is shown instead of a picture that does not load. The build writes it (`build/site.mjs`). */
const DEFAULT_PICTURE = "/platzhalter.svg";

/**
 * Notes in `data-picture` what became of a picture: `loaded`, `default` when the default picture stands in for it, and
 * `failed` when that one does not load either. Without a note it is still on its way.
 */
export const picture: Enhancement = (frame) => {
  const image = frame.querySelector("img");
  if (!image) return undefined;
  const isDefault = () => image.getAttribute("src") === DEFAULT_PICTURE;

  const settle = () => {
    frame.dataset.picture = isDefault() ? "default" : "loaded";
  };
  const replace = () => {
    if (!isDefault()) {
      image.src = DEFAULT_PICTURE;
      return;
    }
    frame.dataset.picture = "failed";
    const text = document.createElement("span");
    text.className = "picture-text";
    text.textContent = image.alt;
    frame.replaceChildren(text);
  };

  image.addEventListener("load", settle);
  image.addEventListener("error", replace);
  if (image.complete && image.naturalWidth > 0) settle();
  // It failed before anyone listened, or waits to come near and the browser calls that complete: asked for again, it tells.
  else if (image.complete) image.src = image.getAttribute("src") ?? "";

  return () => {
    image.removeEventListener("load", settle);
    image.removeEventListener("error", replace);
  };
};
