import { shrink } from "./photo-shrink.ts";

const BROKEN_OFF = "Die Übertragung ist abgebrochen. Bitte senden Sie die Fotos noch einmal.";

/**
 * Shows what was chosen, each with a button that takes it back, sends it smaller than it is, and shows how far that is.
 * What was chosen stays in the field: if anything here fails, the form is sent as it is.
 */
export function startUpload(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>('input[type="file"]');
  const button = form.querySelector<HTMLButtonElement>('button[type="submit"]');
  if (!input || !button) return;
  const room = Number(form.dataset.upload);
  const preview = document.createElement("ul");
  preview.className = "photo-row";
  const status = document.createElement("p");
  status.className = "field-hint";
  status.setAttribute("role", "status");
  input.after(preview, status);
  preview.hidden = true;

  let chosen: File[] = [];
  const choose = (files: File[]) => {
    chosen = files.slice(0, room);
    const transfer = new DataTransfer();
    for (const file of chosen) transfer.items.add(file);
    input.files = transfer.files;
    showPreview(preview, chosen, (file) => {
      choose(chosen.filter((other) => other !== file));
      input.focus();
    });
    showError(form, input, files.length > room ? `Möglich sind hier höchstens ${room} Fotos.` : "");
    status.textContent =
      chosen.length === 0 ? "" : chosen.length === 1 ? "Ein Foto gewählt." : `${chosen.length} Fotos gewählt.`;
  };
  input.addEventListener("change", () => {
    const added = [...(input.files ?? [])];
    choose([...chosen.filter((file) => !added.includes(file)), ...added]);
  });

  form.addEventListener("submit", (event) => {
    if (chosen.length === 0) return;
    event.preventDefault();
    button.disabled = true;
    showError(form, input, "");
    const progress = document.createElement("progress");
    progress.setAttribute("aria-label", "Fotos werden gesendet");
    status.after(progress);
    status.textContent = "Fotos werden gesendet …";
    void send(form, chosen, progress).then(
      (error) => {
        progress.remove();
        button.disabled = false;
        status.textContent = "";
        if (error) showError(form, input, error);
      },
      // The field still has them.
      () => HTMLFormElement.prototype.submit.call(form),
    );
  });
}

/** Sends photos, one after the other made smaller; returns what is wrong, or leaves the page. */
async function send(form: HTMLFormElement, files: readonly File[], progress: HTMLProgressElement): Promise<string> {
  const data = new FormData();
  for (const file of files) {
    const smaller = await shrink(file);
    data.append("photos", smaller, smaller === file ? file.name : `${file.name.replace(/\.\w+$/, "")}.jpg`);
  }
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      progress.max = total;
      progress.value = loaded;
    });
    request.addEventListener("error", () => resolve(BROKEN_OFF));
    request.addEventListener("load", () => {
      if (request.status === 200) window.location.assign(request.responseURL);
      else resolve(errorIn(request.responseText) ?? BROKEN_OFF);
    });
    request.open("POST", form.action);
    request.send(data);
  });
}

/** Returns what the page says that came back. */
function errorIn(html: string): string | undefined {
  const page = new DOMParser().parseFromString(html, "text/html");
  const said = page.querySelector("#photos-error") ?? page.querySelector("main h1");
  return said?.textContent ?? undefined;
}

function showPreview(list: HTMLElement, files: readonly File[], remove: (file: File) => void): void {
  for (const picture of list.querySelectorAll("img")) URL.revokeObjectURL(picture.src);
  list.replaceChildren(
    ...files.map((file, index) => {
      const item = document.createElement("li");
      item.className = "photo-item";
      const picture = document.createElement("img");
      picture.className = "photo-picture";
      picture.src = URL.createObjectURL(file);
      picture.alt = `Gewähltes Foto ${index + 1}`;
      // What the browser cannot show, such as a phone's HEIC, is at least named.
      picture.addEventListener("error", () => {
        picture.hidden = true;
        const name = document.createElement("p");
        name.className = "photo-name";
        name.textContent = file.name;
        item.prepend(name);
      });
      const button = document.createElement("button");
      button.className = "button-quiet button-small";
      button.type = "button";
      button.textContent = `Auswahl ${index + 1} entfernen`;
      button.addEventListener("click", () => remove(file));
      item.append(picture, button);
      return item;
    }),
  );
  list.hidden = files.length === 0;
}

/** Says at the field what is wrong, as the server does. */
function showError(form: HTMLFormElement, input: HTMLInputElement, text: string): void {
  const field = input.closest<HTMLElement>(".field");
  form.querySelector("#photos-error")?.remove();
  if (field) field.dataset.invalid = String(text !== "");
  input.setAttribute("aria-invalid", String(text !== ""));
  input.setAttribute("aria-describedby", text ? "photos-error photos-hint" : "photos-hint");
  if (!text) return;
  const error = document.createElement("p");
  error.className = "field-error";
  error.id = "photos-error";
  error.textContent = text;
  input.before(error);
  input.focus();
}
