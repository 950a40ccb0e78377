import scripts from "../../generated/inline-scripts.json" with { type: "json" };

/** A script that runs before the content after it is shown. The content security policy contains its hash. */
export function InlineScript({ name }: { readonly name: keyof typeof scripts }) {
  return (
    <>
      {"{% raw %}"}
      <script dangerouslySetInnerHTML={{ __html: scripts[name] }} />
      {"{% endraw %}"}
    </>
  );
}
