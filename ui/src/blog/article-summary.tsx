import { ProseBody } from "../prose/prose-body.tsx";
import { summaryBody, type Article } from "./articles.ts";

/** Answers the title's question in a few sentences, before the text does so at length. */
export function ArticleSummary({ article }: { article: Article }) {
  return (
    <aside className="article-summary" aria-labelledby="kurz-gesagt">
      <h2 id="kurz-gesagt" className="block-label">
        Kurz gesagt
      </h2>
      <ProseBody id={summaryBody(article)} />
    </aside>
  );
}
