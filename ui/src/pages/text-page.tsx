import { germanLongDate } from "../facts/dates.ts";
import { PageIntro } from "../components/page-intro.tsx";
import { PageHead } from "../meta/page-head.tsx";
import { routeMeta } from "../meta/page-meta.ts";
import { ProseBody } from "../prose/prose-body.tsx";
import { route } from "../routes/routes.ts";
import { OwnText, ownDescription } from "./own-text.tsx";
import { Reading } from "./reading.tsx";
import type { TextPage } from "../routes/text-pages.ts";

/** Renders a page that is a single text: the imprint, the privacy policy, the terms and so on. */
export function TextPageContent({ page }: { page: TextPage }) {
  const meta = routeMeta(route(`/${page.name}`));
  return (
    <>
      <PageHead meta={{ ...meta, description: ownDescription(page.name, page.title, page.description) }} />
      <OwnText name={page.name} title={page.title}>
        <SiteText page={page} />
      </OwnText>
    </>
  );
}

function SiteText({ page }: { page: TextPage }) {
  return (
    <div className="layout-wrap layout-page">
      <PageIntro title={page.title}>
        {page.updated && (
          <p className="text-page-date">
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
