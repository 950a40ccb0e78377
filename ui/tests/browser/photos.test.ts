import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { CALM, violations } from "./support/axe.ts";
import { postInquiry } from "./support/inquiries.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

const CORPUS = join(import.meta.dirname, "../../../tests/corpus/photo");
const TURNED = join(CORPUS, "turned.jpg");
const ALPHA = join(CORPUS, "alpha.png");
const LETTER = [{ name: "brief.pdf", mimeType: "image/png", buffer: Buffer.from("%PDF-1.7") }];

const photos = (page: Page) => page.locator("main img[src$='/klein']");

for (const javaScriptEnabled of [true, false]) {
  test(`photos are sent, shown and removed ${javaScriptEnabled ? "with" : "without"} script`, async () => {
    const path = await postInquiry(stage.site.url, { last_name: `Meier ${javaScriptEnabled}` });
    const { page } = await stage.visit({ ...CALM, javaScriptEnabled });
    const refused: string[] = [];
    page.on("console", (message) => message.type() === "error" && refused.push(message.text()));
    await page.goto(path);
    const field = page.getByLabel("Fotos hinzufügen");
    const send = page.getByRole("button", { name: "Fotos senden" });

    await field.setInputFiles(LETTER);
    // The script marks it immediately.
    if (!javaScriptEnabled) await send.click();
    const error = page.locator("#photos-error");
    await error.waitFor();
    assert.match((await error.textContent()) ?? "", /„brief\.pdf“ ist kein Foto, das wir lesen können/);
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    if (javaScriptEnabled) {
      await page.getByText("brief.pdf: wird nicht gesendet").waitFor();
      assert.deepEqual(await violations(page), []);
      await send.click();
      assert.equal(new URL(page.url()).pathname, path, "there is nothing to send");
    }

    await page.goto(path);
    await field.setInputFiles([TURNED, ALPHA]);
    if (javaScriptEnabled) {
      await page.getByAltText("Gewähltes Foto 2").waitFor();
      assert.equal(
        await page.getByAltText("Gewähltes Foto 1").evaluate((img) => (img as HTMLImageElement).naturalWidth),
        18,
      );
      assert.deepEqual(await violations(page), []);
      await page.getByRole("button", { name: "Auswahl 2 entfernen" }).click();
      await page.getByAltText("Gewähltes Foto 2").waitFor({ state: "detached" });
      await field.setInputFiles([ALPHA]);
      await page.getByAltText("Gewähltes Foto 2").waitFor();
      // An invalid file does not hold back the others.
      await field.setInputFiles(LETTER);
      await error.waitFor();
    }
    await send.focus();
    await page.keyboard.press("Enter");
    await page.getByText("Gespeichert.").waitFor();
    assert.equal(await photos(page).count(), 2);
    if (javaScriptEnabled) {
      await photos(page).first().scrollIntoViewIfNeeded();
      await page.waitForFunction(() => [...document.images].every((image) => image.naturalWidth > 0));
      const size = await photos(page)
        .first()
        .evaluate((img) => [(img as HTMLImageElement).naturalWidth, (img as HTMLImageElement).naturalHeight]);
      assert.deepEqual(size, [18, 24], "it is upright");
      assert.deepEqual(await violations(page), []);
    }

    await page.getByRole("button", { name: "Foto 1 entfernen" }).click();
    await page.getByText("Das Foto ist gelöscht.").waitFor();
    assert.equal(await photos(page).count(), 1);
    await page.getByRole("link", { name: "Foto 1 groß ansehen" }).click();
    await page.waitForURL(/\/foto\/2$/);
    assert.deepEqual(
      refused.filter((text) => !/status of 400/.test(text)),
      [],
    );
  });
}

test("where the canvas returns noise, photos are sent unchanged, and the form stays usable", async () => {
  const path = await postInquiry(stage.site.url);
  const { page } = await stage.visit(CALM);
  await page.addInitScript(() => {
    const read = CanvasRenderingContext2D.prototype.getImageData;
    CanvasRenderingContext2D.prototype.getImageData = function (...area) {
      const noise = read.apply(this, area);
      noise.data.forEach((_, index) => (noise.data[index] = (index * 7919) & 255));
      return noise;
    };
    HTMLCanvasElement.prototype.toBlob = (done) => done(new Blob(["noise"]));
  });
  // A 204 response leaves the page as it is.
  await page.route(/fotos-gespeichert/, (route) =>
    route.request().isNavigationRequest() ? route.fulfill({ status: 204 }) : route.continue(),
  );
  await page.goto(path);
  await page.getByLabel("Fotos hinzufügen").setInputFiles([TURNED]);
  await Promise.all([
    page.waitForRequest((request) => request.isNavigationRequest() && request.url().includes("gespeichert")),
    page.getByRole("button", { name: "Fotos senden" }).click(),
  ]);
  await page.locator("progress").waitFor({ state: "detached" });
  assert.ok(await page.getByRole("button", { name: "Fotos senden" }).isEnabled());
  assert.equal(await page.getByAltText("Gewähltes Foto 1").count(), 0);
  assert.match(await (await fetch(stage.site.url + path)).text(), /\/foto\/1\/klein/);
});
