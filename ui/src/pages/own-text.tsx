import type { ReactNode } from "react";
import { Each, either, If, slot } from "../template/template.tsx";
import { PageIntro } from "../components/page-intro.tsx";
import { Contents } from "../prose/blocks/table-of-contents.tsx";

/** The pages whose text the operator may replace (`src/config/pages.rs`). */
const REPLACEABLE = ["agb", "datenschutz", "impressum", "barrierefreiheit"];

interface Props {
  name: string;
  title: string;
  /** The page with the site's own text. */
  children: ReactNode;
}

/** Lets the server show the operator's own text, rendered from Markdown (`src/site/own_text.rs`), instead of the site's. */
export function OwnText({ name, title, children }: Props) {
  if (!REPLACEABLE.includes(name)) return children;
  const own = ownText(name);
  return (
    <If test={own} otherwise={children}>
      <div className="layout-wrap layout-page">
        <PageIntro title={either(`${own}.title`, slot(`${own}.title`), title)} />
        <div className="reading columns">
          <If test={`${own}.sections`}>
            <Contents>
              <Sections list={`${own}.sections`}>
                <If test="item.parts">
                  <ol>
                    <Sections list="item.parts" />
                  </ol>
                </If>
              </Sections>
            </Contents>
          </If>
          <div className="reading-text">
            <div className="prose">{slot(`${own}.html`)}</div>
          </div>
        </div>
      </div>
    </If>
  );
}

/** Returns a page's description: that of the site's text, or only the title if the operator has replaced it. */
export function ownDescription(name: string, title: string, description: string): string {
  if (!REPLACEABLE.includes(name)) return description;
  return either(ownText(name), title, description);
}

function ownText(name: string): string {
  return `site.own.${name}`;
}

/** Lets the server repeat a link for each section. */
function Sections({ list, children }: { list: string; children?: ReactNode }) {
  return (
    <Each entry="item" list={list}>
      <li>
        <a href={`#${slot("item.id")}`}>{slot("item.label")}</a>
        {children}
      </li>
    </Each>
  );
}
