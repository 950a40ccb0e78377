import { germanLongDate } from "../prose/facts/format.ts";
import { PageIntro } from "../components/page-intro.tsx";
import { ProseBody } from "../prose/prose-body.tsx";
import { OwnText } from "./own-text.tsx";
import { Reading } from "./reading.tsx";
import type { Text } from "./text-pages.ts";

/** Renders a page that is a single text: the imprint, the privacy policy, the terms and so on. */
export function TextPage({ page }: { page: Text }) {
  return (
    <OwnText name={page.name} title={page.title}>
      <SiteText page={page} />
    </OwnText>
  );
}

function SiteText({ page }: { page: Text }) {
  return (
    <div className="layout-wrap layout-page">
      <PageIntro title={page.title}>
        {page.updated && (
          <p className="hint" data-above="3">
            Stand: <time dateTime={page.updated}>{germanLongDate(page.updated)}</time>
          </p>
        )}
      </PageIntro>
      <Reading headings={page.headings}>
        <ProseBody id={`page-${page.name}`} />
      </Reading>
    </div>
  );
}
