import type { Page } from "playwright-core";
import { fillTemplates, showMail, showPrivatePage } from "../../tests/browser/support/filled-templates.ts";
import { everyPath } from "../../tests/browser/support/paths.ts";
import { OTHERS, QUESTIONNAIRE, UNDECIDED } from "../../tests/browser/support/states.ts";

/** Something to take a picture of. */
export interface Shot {
  /** The name of its file, without the ending. */
  readonly name: string;
  readonly reach: (page: Page) => Promise<void>;
  readonly isNarrow?: boolean;
  /** For a visitor who has not decided about cookies. */
  readonly isUndecided?: boolean;
  /** Only the visible part of the page: in a longer picture, fixed elements would be in the middle. */
  readonly isOneScreen?: boolean;
  /** Whether no script has run on it. */
  readonly isPlain?: boolean;
}

/** States in which something covers the page: only the screen is taken. */
const OVERLAYS = ["menu-open", "toast", "chat", "banner"];

/** Lists every page, then every state. */
export async function collectShots(origin: string): Promise<Shot[]> {
  const pages = (await everyPath(origin)).map((path) => ({
    name: fileName(path),
    reach: async (page: Page) => {
      await page.goto(path);
      await page.getByRole("heading", { level: 1 }).waitFor();
    },
  }));
  const states = [
    ...QUESTIONNAIRE.map((state) => ({ ...state, name: `fragebogen_${state.name}` })),
    ...OTHERS.map((state) => ({ ...state, name: `state_${state.name}`, isOneScreen: OVERLAYS.includes(state.name) })),
    ...UNDECIDED.map((state) => ({ ...state, name: `state_${state.name}`, isUndecided: true, isOneScreen: true })),
  ];
  return [...pages, ...states, ...(await filledTemplates())];
}

/** Lists every private page and every mail in every state. */
async function filledTemplates(): Promise<Shot[]> {
  const { pages, mails } = await fillTemplates();
  return [
    ...Object.entries(pages).map(([name, html]) => ({
      name: `private_${name}`,
      isPlain: true,
      reach: (page: Page) => showPrivatePage(page, name, html),
    })),
    ...Object.entries(mails).map(([name, { html }]) => ({
      name: `mail_${name}`,
      isPlain: true,
      reach: (page: Page) => showMail(page, name, html),
    })),
  ];
}

function fileName(path: string): string {
  return path === "/" ? "home" : decodeURIComponent(path).slice(1).replaceAll("/", "_");
}
