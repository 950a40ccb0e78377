/** Lists the tags of an article. They are not links; categories are. */
export function ArticleTags({ tags }: { tags: string[] }) {
  if (tags.length === 0) return null;
  return (
    <div className="article-tags">
      <p id="schlagwoerter">Schlagwörter</p>
      <ul className="article-tag-list" aria-labelledby="schlagwoerter">
        {tags.map((tag) => (
          <li key={tag}>{tag}</li>
        ))}
      </ul>
    </div>
  );
}
