import scripts from "../../generated/inline-scripts.json" with { type: "json" };

interface Props {
  readonly name: keyof typeof scripts;
  /** What the script reads, as its data attributes. */
  readonly data?: Readonly<Record<`data-${string}`, string>>;
}

/** A script that runs before what follows it is shown. The content security policy knows it by its hash. */
export function InlineScript({ name, data }: Props) {
  return <script {...data} dangerouslySetInnerHTML={{ __html: scripts[name] }} />;
}
