import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement, Fragment } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { blocksFor } from "../../build/content/blocks.ts";
import { readText } from "../../build/content/mdx.ts";
import { blocks } from "./components.tsx";
import { TableOfContents } from "./blocks/table-of-contents.tsx";
import { elementsOf } from "./prose-body.tsx";
import { SettingsProvider } from "../template/settings.tsx";
import type { Settings } from "../template/site-settings.ts";

const read = (source: string) => readText("artikel/index.mdx", source);

/** Returns a text as HTML. */
async function render(source: string): Promise<string> {
  const { body } = await read(source);
  return renderToStaticMarkup(createElement(Fragment, null, ...elementsOf(body, {})));
}

test("a heading that depends on a setting is listed only with that setting", async () => {
  const { headings } = await read('<IfSetting name="operator.vat_id">\n\n## Steuern\n\n</IfSetting>\n\n## Sonst\n');
  assert.deepEqual(
    headings.map(({ id, settings }) => [id, settings]),
    [
      ["steuern", ["operator.vat_id"]],
      ["sonst", []],
    ],
  );
  const html = renderToStaticMarkup(createElement(TableOfContents, { headings }));
  assert.match(
    html,
    /\{% if site\.operator\.vat_id %\}<li><a href="#steuern">Steuern<\/a><\/li>\{% endif %\}<li><a href="#sonst">/,
  );
});

test("a text can say what holds without a setting, but no heading can depend on that", async () => {
  const remark = createElement(blocks.UnlessSetting, { name: "links.chat", children: "Kein Chat." });
  const withChat = (chat: string | null) =>
    renderToStaticMarkup(createElement(SettingsProvider, { value: { links: { chat } } as Settings }, remark));
  assert.equal(renderToStaticMarkup(remark), "{% if site.links.chat %}{% else %}Kein Chat.{% endif %}");
  assert.equal(withChat(null), "Kein Chat.");
  assert.equal(withChat("https://chat.example"), "");
  await assert.rejects(read('\n<UnlessSetting name="links.chat">\n\n## Kein Chat\n\n</UnlessSetting>\n'), {
    message: /^artikel\/index\.mdx:2: <UnlessSetting>: the table of contents would always list the heading/,
  });
});

test("unknown components, unknown attributes and missing ones are reported with file and line", async () => {
  await assert.rejects(read("Text\n\n<Kasten>\n\nText\n\n</Kasten>\n"), {
    message: /^artikel\/index\.mdx:3: <Kasten>: unknown component; known are IfSetting, /,
  });
  await assert.rejects(read("Ein <Kasten /> im Satz"), { message: /^artikel\/index\.mdx:1: <Kasten>/ });
  await assert.rejects(read('\n<Checklist titel="A">\n\n- a\n\n</Checklist>'), {
    message: "artikel/index.mdx:2: <Checklist>: titel: unknown key; known are title",
  });
  await assert.rejects(read("\n\n<Note>\n\nText\n\n</Note>"), {
    message: "artikel/index.mdx:3: <Note>: kind: must be a text",
  });
});

test("the build knows exactly the components that texts may use", () => {
  assert.deepEqual(Object.keys(blocksFor({})).toSorted(), Object.keys(blocks).toSorted());
});

test("the cells of a table have the names of their columns, and the first cell is the row's header", async () => {
  const html = await render("## Preise\n\n| Leistung | Einheit | Spanne |\n|---|---|---|\n| Netz | Meter | 25 |\n");
  assert.match(html, /<table label="Tabelle: Preise" class="table-stack">/);
  assert.match(
    html,
    /<th scope="row">Netz<\/th>\s*<td data-label="Einheit">Meter<\/td>\s*<td data-label="Spanne">25<\/td>/,
  );
  assert.doesNotMatch(await render("| A | B |\n|---|---|\n| 1 | 2 |\n"), /table-stack/);
});
