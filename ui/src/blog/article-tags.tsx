/** What an article is about, in key words. They lead nowhere: categories do. */
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
