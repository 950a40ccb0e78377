import generated from "../../generated/pages.json" with { type: "json" };
import type { readPages } from "../../build/content/pages.ts";
import { germanLongDate } from "../prose/facts/format.ts";
import { PageIntro } from "../components/page-intro.tsx";
import { ProseBody } from "../prose/prose-body.tsx";
import { OwnText } from "./own-text.tsx";
import { Reading } from "./reading.tsx";

/** A page that consists of a single text: content/pages/<name>.mdx. */
export type Text = Awaited<ReturnType<typeof readPages>>[number]["meta"];

export const textPages: Text[] = generated;

/** Renders such a page: the imprint, the privacy policy, the terms and so on. */
export function TextPage({ page: { name, title, updated, headings } }: { page: Text }) {
  return (
    <OwnText name={name} title={title}>
      <div className="layout-wrap layout-page">
        <PageIntro title={title}>
          {updated && (
            <p className="hint" data-above="3">
              Stand: <time dateTime={updated}>{germanLongDate(updated)}</time>
            </p>
          )}
        </PageIntro>
        <Reading headings={headings}>
          <ProseBody id={`page-${name}`} />
        </Reading>
      </div>
    </OwnText>
  );
}
