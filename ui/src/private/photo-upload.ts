import { canvasIsTrue, shrink } from "./photo-shrink.ts";

const BROKEN_OFF = "Die Übertragung ist abgebrochen. Bitte senden Sie die Fotos noch einmal.";

/** The types that the server accepts, and the largest file in bytes; `src/photo/mod.rs` has the same. */
const TYPES = ["image/jpeg", "image/png", "image/webp"];
const MAX_BYTES = 12_000_000;

interface Choice {
  readonly file: File;
  readonly picture: HTMLImageElement;
  /** Why it cannot be sent. */
  fault?: string;
}

/**
 * Previews the chosen photos, each with a button to remove it, scales them down before sending, and shows the progress.
 * The field holds what will be sent: if anything here fails, the browser itself submits the form.
 */
export function startUpload(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>('input[type="file"]');
  const button = form.querySelector<HTMLButtonElement>('button[type="submit"]');
  if (!input || !button) return;
  const room = Number(form.dataset.upload);
  const preview = create("ul", { className: "photo-row", hidden: true });
  const status = create("p", { className: "hint", role: "status" });
  input.after(preview, status);

  let choices: Choice[] = [];
  let examined = Promise.resolve();
  const photos = () => choices.filter(({ fault }) => fault === undefined);
  const show = () => {
    const surplus = photos().slice(room);
    choices = choices.filter((choice) => !surplus.includes(choice));
    const transfer = new DataTransfer();
    for (const { file } of photos()) transfer.items.add(file);
    input.files = transfer.files;
    preview.replaceChildren(...choices.map((choice, index) => shown(choice, index + 1, () => takeBack(choice))));
    preview.hidden = choices.length === 0;
    const faults = choices.flatMap(({ file, fault }) => (fault ? `„${file.name}“ ${fault}` : []));
    if (surplus.length > 0) faults.push(`Möglich sind hier höchstens ${room} Fotos.`);
    showError(form, input, faults.join(" "));
    const count = photos().length;
    status.textContent = count === 0 ? "" : count === 1 ? "Ein Foto gewählt." : `${count} Fotos gewählt.`;
  };
  const takeBack = (choice: Choice) => {
    URL.revokeObjectURL(choice.picture.src);
    choices = choices.filter((other) => other !== choice);
    show();
    input.focus();
  };
  input.addEventListener("change", () => {
    const added = [...(input.files ?? [])].map((file) => ({
      file,
      picture: create("img", { className: "photo-picture", src: URL.createObjectURL(file) }),
    }));
    examined = Promise.all([examined, ...added.map(examine)]).then(() => {
      choices.push(...added);
      show();
    });
  });

  const send = async () => {
    await examined;
    if (photos().length === 0) {
      if (choices.length === 0) HTMLFormElement.prototype.submit.call(form);
      input.focus();
      return;
    }
    button.disabled = true;
    showError(form, input, "");
    const progress = create("progress", { ariaLabel: "Fotos werden gesendet" });
    status.after(progress);
    status.textContent = "Fotos werden gesendet...";
    try {
      const answer = await upload(form, photos(), progress);
      if ("page" in answer) {
        choices = [];
        show();
        window.location.assign(answer.page);
      } else {
        status.textContent = "";
        showError(form, input, answer.error);
        input.focus();
      }
    } catch {
      // The field still has them.
      HTMLFormElement.prototype.submit.call(form);
    } finally {
      progress.remove();
      button.disabled = false;
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send();
  });
}

/** Sends photos, scaling them down one by one. Returns the next page, or the error. */
async function upload(
  form: HTMLFormElement,
  choices: readonly Choice[],
  progress: HTMLProgressElement,
): Promise<{ page: string } | { error: string }> {
  const data = new FormData();
  for (const { file, picture } of choices) {
    const smaller = await shrink(file, picture);
    data.append("photos", smaller, smaller === file ? file.name : `${file.name.replace(/\.\w+$/, "")}.jpg`);
  }
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      progress.max = total;
      progress.value = loaded;
    });
    request.addEventListener("error", () => resolve({ error: BROKEN_OFF }));
    request.addEventListener("load", () => {
      if (request.status === 200) resolve({ page: request.responseURL });
      else resolve({ error: errorIn(request.responseText) ?? BROKEN_OFF });
    });
    request.open("POST", form.action);
    request.send(data);
  });
}

/** Returns the error message in the page that the server returned. */
function errorIn(html: string): string | undefined {
  const page = new DOMParser().parseFromString(html, "text/html");
  const said = page.querySelector("#photos-error") ?? page.querySelector("main h1");
  return said?.textContent ?? undefined;
}

/** Shows a choice by its number: its picture, or the name of a file that is not sent, and a button to remove it. */
function shown({ file, picture, fault }: Choice, number: number, takeBack: () => void): HTMLLIElement {
  const item = create("li", { className: "photo-item" });
  picture.alt = `Gewähltes Foto ${number}`;
  const name = () => create("p", { className: "photo-name", textContent: `${file.name}: wird nicht gesendet` });
  const textContent = `Auswahl ${number} entfernen`;
  const remove = { className: "button-quiet button-small", type: "button", textContent, onclick: takeBack } as const;
  item.append(fault ? name() : picture, create("button", remove));
  return item;
}

/** Checks whether the browser can show a file, and marks one that cannot be sent. */
async function examine(choice: Choice): Promise<void> {
  const { file, picture } = choice;
  const isShown = await picture.decode().then(
    () => picture.naturalWidth > 0,
    () => false,
  );
  // Otherwise the server gets a JPEG from the canvas.
  const isSentAsItIs = isShown && !canvasIsTrue();
  if (!isShown || (isSentAsItIs && !TYPES.includes(file.type)))
    choice.fault = "ist kein Foto, das wir lesen können, und wird nicht gesendet. Möglich sind JPEG, PNG und WebP.";
  else if (isSentAsItIs && file.size > MAX_BYTES) choice.fault = "hat mehr als 12 MB und wird nicht gesendet.";
}

/** Shows an error at the field, in the same markup as the server's. */
function showError(form: HTMLFormElement, input: HTMLInputElement, text: string): void {
  const field = input.closest<HTMLElement>(".field");
  form.querySelector("#photos-error")?.remove();
  if (field) field.dataset.invalid = String(text !== "");
  input.setAttribute("aria-invalid", String(text !== ""));
  input.setAttribute("aria-describedby", text ? "photos-error photos-hint" : "photos-hint");
  if (text) input.before(create("p", { className: "field-error", id: "photos-error", textContent: text }));
}

function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
): HTMLElementTagNameMap[Tag] {
  return Object.assign(document.createElement(tag), properties);
}
