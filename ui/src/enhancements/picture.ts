/** Replaces pictures that fail to load. The build writes it (`build/site.ts`). */
const DEFAULT_PICTURE = "/platzhalter.svg";

/**
 * Sets `data-picture` to the state of a picture: `loaded`, `default` if the default picture replaced it, or `failed` if
 * that did not load either. While the picture is loading, the attribute is absent.
 */
export function picture(frame: HTMLElement): void {
  const image = frame.querySelector("img");
  if (!image) return;
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
  // Either it failed before the listeners were added, or it is lazy and already counts as complete. Reloading it tells.
  else if (image.complete) image.src = image.getAttribute("src") ?? "";
}
