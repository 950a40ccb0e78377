import type { Page } from "playwright-core";

/* Measurements in the page. Helpers are methods: see settled.ts. */

/** Returns text that is cut off, by the screen or by its own box. */
export async function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const width = document.documentElement.clientWidth;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent?.trim() ?? "";
      const element = walker.currentNode.parentElement;
      if (text === "" || !element?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      const box = range.getBoundingClientRect();
      for (let around: Element | null = element; around; around = around.parentElement) {
        const style = getComputedStyle(around);
        const frame = around.getBoundingClientRect();
        // Intended: visually hidden text, text that scrolls, and the site's name where there is no room for it.
        if (
          frame.width <= 1 ||
          around.matches(".brand") ||
          style.position === "fixed" ||
          /auto|scroll/.test(style.overflowX)
        )
          break;
        if (style.overflowX !== "visible" && (box.right > frame.right + 1 || box.bottom > frame.bottom + 1)) {
          found.push(`${around.localName}.${around.className} cuts "${text.slice(0, 40)}"`);
          break;
        }
        if (around === document.body && (box.right > width + 1 || box.left < -1)) {
          found.push(`"${text.slice(0, 40)}" ends at ${Math.round(box.right)} of ${width}`);
        }
      }
    }
    return found;
  });
}

/** Returns text that a flex box or grid tears from the rest of its sentence, because each piece becomes a separate item. */
export async function tornTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent?.trim() ?? "";
      const parent = walker.currentNode.parentElement;
      if (text === "" || !parent?.checkVisibility({ visibilityProperty: true })) continue;
      if (!/flex|grid/.test(getComputedStyle(parent).display)) continue;
      // An icon beside a text is not part of a sentence.
      const rest = [...parent.children].filter(
        (child) => (child as HTMLElement).innerText?.trim() && !/absolute|fixed/.test(getComputedStyle(child).position),
      );
      if (rest.length > 0) found.push(`${parent.localName}.${parent.className} tears "${text.slice(0, 40)}"`);
    }
    return found;
  });
}

/** Returns running text whose lines are too long to read comfortably. */
export async function longLines(page: Page, most: number): Promise<string[]> {
  return page.evaluate((limit) => {
    const found: string[] = [];
    const pen = document.createElement("canvas").getContext("2d");
    if (!pen) throw new Error("This browser cannot measure text.");
    for (const element of document.querySelectorAll("main p, main li, main dd, main blockquote, footer p")) {
      const text = element.textContent?.replace(/\s+/g, " ").trim() ?? "";
      if (text === "" || element.querySelector("p, li, ul, ol, div, svg, img")) continue;
      const style = getComputedStyle(element);
      pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
      const box = element.getBoundingClientRect().width - Number.parseFloat(style.paddingInline) * 2;
      const all = pen.measureText(text).width;
      // The characters of a full line, or of the whole text if it is shorter.
      const length = text.length * Math.min(1, box / all);
      if (length > limit) found.push(`${Math.round(length)} characters a line: "${text.slice(0, 40)}"`);
    }
    return found;
  }, most);
}

export interface Target {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** A link within a sentence, as high as its line (excepted by WCAG 2.5.8). */
  readonly isInline: boolean;
  /** A button, field or choice, a link in the header, or one that looks like a button. */
  readonly isMain: boolean;
}

/** Returns every touch target; that of a choice is its label. */
export async function targets(page: Page): Promise<Target[]> {
  return page.evaluate(() => {
    const found = [];
    for (const element of document.querySelectorAll<HTMLElement>("a[href], button, summary, input, select, textarea")) {
      const choice = element.matches("[type=radio], [type=checkbox]") && "labels" in element;
      const label = choice ? ((element as HTMLInputElement).labels?.[0] ?? element) : element;
      const [own, outer] = [element.getBoundingClientRect(), label.getBoundingClientRect()];
      const style = getComputedStyle(label);
      if (!label.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      // Visually hidden until focused, like the skip link.
      if (outer.width <= 1 || outer.bottom < 0) continue;
      // Never visible, like the questionnaire's honeypot.
      if (element.closest(".visually-hidden") !== null) continue;
      const around = label.parentElement?.closest("p, li, dd, td, th, figcaption, small, span");
      const text = label.textContent?.trim() ?? "";
      const isLink = element.localName === "a";
      const looksLikeButton =
        style.backgroundColor !== "rgba(0, 0, 0, 0)" || Number.parseFloat(style.borderBlockStartWidth) > 0;
      found.push({
        name: `${element.localName}.${element.className} "${(element.ariaLabel ?? text).slice(0, 30)}"`,
        width: Math.max(own.width, outer.width),
        height: Math.max(own.height, outer.height),
        isInline: isLink && style.display === "inline" && (around?.textContent?.trim().length ?? 0) > text.length,
        isMain: !isLink || looksLikeButton || element.closest("header") !== null,
      });
    }
    return found;
  });
}

/**
 * Returns the elements matching these selectors that are not fully on the screen or are covered by another element, and
 * the selectors that match nothing.
 */
export async function allInView(page: Page, ...selectors: string[]): Promise<string[]> {
  return page.evaluate((wanted) => {
    const found = wanted.filter((selector) => document.querySelector(selector) === null).map((one) => `no ${one}`);
    for (const element of wanted.flatMap((selector) => [...document.querySelectorAll(selector)])) {
      const { top, bottom, left, width, height } = element.getBoundingClientRect();
      const name = `${element.localName} "${element.textContent?.trim().slice(0, 30)}"`;
      if (top < 0 || bottom > window.innerHeight) {
        found.push(`${name} stands from ${Math.round(top)} to ${Math.round(bottom)} of ${window.innerHeight}`);
        continue;
      }
      const above = document.elementFromPoint(left + width / 2, top + height / 2);
      if (above === null || !(element.contains(above) || above.contains(element))) found.push(`${name} is covered`);
    }
    return found;
  }, selectors);
}

/** Returns the fonts in which an element is painted: one that has come need not be among them. */
export async function paintedFonts(page: Page, selector: string) {
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root } = await session.send("DOM.getDocument");
  const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector });
  return (await session.send("CSS.getPlatformFontsForNode", { nodeId })).fonts;
}
