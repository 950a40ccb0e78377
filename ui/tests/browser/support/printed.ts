import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Page } from "playwright-core";

/** Prints a file of HTML beside it, as a browser prints it for a person, and returns the text of each page. */
export async function printedPages(page: Page, html: string): Promise<string[]> {
  await page.goto(pathToFileURL(html).href);
  const pdf = html.replace(/html$/, "pdf");
  await writeFile(pdf, await page.pdf({ preferCSSPageSize: true }));
  const { stdout } = await promisify(execFile)("pdftotext", ["-layout", pdf, "-"]);
  // Each page ends with a form feed.
  return stdout.split("\f").slice(0, -1);
}
