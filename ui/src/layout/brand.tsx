/** Renders the logo (a stepped gable, and a bird that does not land on it) and the site's name. */
export function Brand({ name }: { name: string }) {
  return (
    <>
      <svg className="brand-sign icon" viewBox="0 0 40 40" aria-hidden="true">
        <path d="M4 38V24h5v-6h5v-6h12v6h5v6h5v14" />
        <path d="M16 38V27h8v11" />
        <path stroke="var(--brick)" d="M12 5c3-2 6-1 8 2 2-3 5-4 8-2" />
      </svg>
      <span>{name}</span>
    </>
  );
}
