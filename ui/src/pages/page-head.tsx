import { either } from "../template/template.tsx";
import { useText } from "../template/settings.tsx";
import { CARD_SIZE, DEFAULT_CARD, documentTitle, type PageMeta, PLAIN_CARD } from "./page-meta.ts";

/** What search engines may do with a page that they may index. */
const INDEXABLE = "index, follow, max-snippet:150, max-image-preview:large";

/** Renders the page's title and metadata. React puts these elements first, and the build moves them into `<head>`. */
export function PageHead({ meta }: { meta: PageMeta }) {
  const siteName = useText("name");
  const origin = useText("origin");
  const title = documentTitle(meta, siteName);
  const url = meta.path === null ? null : origin + meta.path;
  const image = origin + (meta.image === DEFAULT_CARD ? either("site.vetted", DEFAULT_CARD, PLAIN_CARD) : meta.image);
  const imageAlt = meta.imageAlt ?? title;
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={meta.description} />
      <meta name="robots" content={meta.indexable ? INDEXABLE : "noindex, follow"} />
      {meta.keywords.length > 0 && <meta name="keywords" content={meta.keywords.join(", ")} />}
      <meta name="author" content={meta.author ?? siteName} />
      {url && <link rel="canonical" href={url} />}
      {url && <meta property="og:url" content={url} />}
      <meta property="og:type" content={meta.type} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={meta.description} />
      <meta property="og:image" content={image} />
      <meta property="og:image:width" content={String(CARD_SIZE.width)} />
      <meta property="og:image:height" content={String(CARD_SIZE.height)} />
      <meta property="og:image:alt" content={imageAlt} />
      <meta property="og:site_name" content={siteName} />
      <meta property="og:locale" content="de_DE" />
      <meta name="twitter:card" content="summary_large_image" />
      <meta name="twitter:title" content={title} />
      <meta name="twitter:description" content={meta.description} />
      <meta name="twitter:image" content={image} />
      <meta name="twitter:image:alt" content={imageAlt} />
    </>
  );
}
