import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import sharp from "sharp";
import { freePort } from "../browser/support/free-port.ts";
import { inquire } from "../browser/support/inquiries.ts";
import { firmName, type Referring, startReferring } from "../browser/support/referrals.ts";
import type { Target } from "./support/in-page.ts";
import { DESKTOP, PHONE, useEngines } from "./support/stage.ts";
import type { Visitor } from "./support/visitor.ts";

const FIRM = "nord";
const ACCEPT: Target = { role: "button", name: "Annehmen und Kontaktdaten ansehen" };

let referring: Referring;
let desk = "";
let folder = "";
/** A photo larger than the size that is stored, so that the browser scales it down. */
let photo = "";

const test = useEngines(async () => {
  const port = await freePort();
  desk = `http://127.0.0.1:${port}`;
  referring = await startReferring([FIRM], "", "--desk-listen", `127.0.0.1:${port}`);
  return { ...referring.site, stop: referring.stop };
});

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "taubenabwehr-photo-"));
  photo = join(folder, "fassade.jpg");
  const create = { width: 2400, height: 1800, channels: 3, background: "#9a6a4f" } as const;
  await sharp({ create }).jpeg().toFile(photo);
});
after(() => rm(folder, { recursive: true, force: true }));

let inquiries = 0;
/** Returns a name that no other inquiry has, so that the inbox can be searched for it. */
const newName = () => `Kranichfeld-${(inquiries += 1)}`;

/** Chooses the photo, and waits until the page shows it. */
async function showsPreview(visitor: Visitor): Promise<void> {
  await visitor.attach("#photos", photo);
  await visitor.meets(
    "the preview",
    () => document.querySelector<HTMLImageElement>("form[data-upload] img")?.naturalWidth === 2400,
  );
  await visitor.sees({ role: "status", name: "Ein Foto gewählt." });
}

/** Waits until the page shows this many stored photos, each fully loaded. */
async function showsPhotos(visitor: Visitor, count: number): Promise<void> {
  await visitor.meets(
    `${count} photos`,
    (count) => {
      const photos = [...document.querySelectorAll<HTMLImageElement>("main img[src$='/klein']")];
      photos[0]?.scrollIntoView({ block: "center", behavior: "instant" });
      return photos.length === count && photos.every(({ naturalWidth }) => naturalWidth === 320);
    },
    count,
  );
}

test("photos are chosen, previewed, removed and sent by script, and the firm sees them", PHONE, async (visitor) => {
  const { visitors, firms } = await inquire(referring, FIRM, newName());
  await visitor.open(visitors);
  await showsPreview(visitor);
  await visitor.click({ role: "button", name: "Auswahl 1 entfernen" });
  await visitor.misses({ role: "button", name: "Auswahl 1 entfernen" });
  await showsPreview(visitor);
  await visitor.click({ role: "button", name: "Fotos senden" });
  await visitor.sees({ role: "status", name: "Gespeichert." });
  await showsPhotos(visitor, 1);
  await visitor.leavesQuietly();

  await visitor.open(firms);
  await showsPhotos(visitor, 1);
});

test("a review is written by keyboard, with the arrow keys choosing the stars", DESKTOP, async (visitor) => {
  const { visitors, firms } = await inquire(referring, FIRM, newName());
  await visitor.open(firms);
  await visitor.click(ACCEPT);
  await visitor.sees({ role: "heading", name: "Sie haben die Anfrage angenommen" });
  await visitor.click({ role: "radio", name: "Kein Auftrag" });
  await visitor.click({ role: "button", name: "Speichern" });
  await visitor.sees({ role: "status", name: "Danke, Ihre Angabe ist gespeichert." });

  await visitor.open(visitors);
  await visitor.evaluate(() => document.querySelector<HTMLElement>("main input[name=stars]")?.focus());
  for (let star = 1; star < 4; star += 1) await visitor.press("ArrowDown");
  await visitor.finds({ role: "radio", name: "4 Sterne" }, { isChecked: true, isFocused: true });
  await visitor.press("Tab");
  await visitor.type("Sauber gearbeitet.");
  await visitor.press("Tab");
  await visitor.press("Tab");
  await visitor.press("Space");
  await visitor.meets(
    "the consent",
    () =>
      (document.activeElement as HTMLInputElement).name === "consent" &&
      document.activeElement?.matches(":checked") === true,
  );
  await visitor.press("Tab");
  await visitor.press("Enter");
  await visitor.sees({ role: "status", name: "Danke, Ihre Bewertung ist gespeichert." });
  await visitor.leavesQuietly();
});

test("a code opens the desk, which shows the inbox and an inquiry", DESKTOP, async (visitor, site) => {
  const lastName = newName();
  await inquire(referring, FIRM, lastName);
  const operator = visitor.at(desk);
  await operator.open(new URL((await site.run("desk")).trim()).pathname);
  await operator.click({ role: "button", name: "Anmelden" });
  await operator.sees({ role: "heading", name: "Posteingang" });
  await operator.click({ role: "link", name: `Änne ${lastName}` });
  await operator.sees({ role: "heading", name: `Änne ${lastName}` });
  await operator.reads(firmName(FIRM));
  await operator.leavesQuietly();
  await operator.click({ role: "button", name: "Abmelden" });
  await operator.sees({ role: "heading", name: "Sie sind nicht angemeldet" });
});
