import { Picture } from "../components/picture.tsx";
import type { Article } from "./articles.ts";

interface Props {
  article: Article;
  className: string;
  place: "top" | "below";
}

/** Renders the article's picture, if it has one. */
export function ArticleImage({ article, ...rest }: Props) {
  return article.image ? <Picture source={article.image} {...rest} /> : null;
}
