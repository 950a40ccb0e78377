import { showToast } from "./toast/store.ts";

/** Copies the text of a box. If the browser forbids that, selects it for the visitor to copy. */
export function copy(box: HTMLElement): void {
  const text = box.querySelector("blockquote");
  const button = box.querySelector("button");
  if (!text || !button) return;

  const write = async () => {
    try {
      await navigator.clipboard.writeText(text.innerText);
      showToast({ tone: "info", title: "Text kopiert", group: "copy" });
    } catch {
      getSelection()?.selectAllChildren(text);
      const description = "Kopieren Sie ihn mit dem Menü Ihres Browsers.";
      showToast({ tone: "info", title: "Text markiert", description, group: "copy" });
    }
  };

  button.addEventListener("click", () => void write());
}
