import { Link } from "../routing/router.ts";
import { PageIntro } from "../components/page-intro.tsx";
import { PageHead } from "../meta/page-head.tsx";
import { missingMeta } from "../meta/page-meta.ts";

const MESSAGE = "Der von Ihnen gesuchte Artikel existiert leider nicht oder wurde entfernt.";

/** Stands for every unknown article: one file serves them all, so it cannot print the id. */
export function ArticleMissing() {
  return (
    <>
      <PageHead meta={missingMeta("Artikel nicht gefunden", MESSAGE)} />
      <div className="wrap page narrow">
        <PageIntro title="Artikel nicht gefunden" lead={MESSAGE} />
        <p className="actions">
          <Link className="button" to="/blog">
            Zurück zum Blog
          </Link>
        </p>
      </div>
    </>
  );
}
