import { type KeyboardEvent, useRef } from "react";
import type { PropertyOption } from "../inquiry/options.ts";

/**
 * Returns event handlers that let a pointer, Space or Enter choose a tile and move on, while arrow keys only move the choice (WCAG 3.2.2). To tell
 * them apart: when an arrow key reaches a radio button, the browser clicks it while the key is down.
 */
export function useTileChoice(choose: (option: PropertyOption) => void, goOn: () => void) {
  const isArrowDown = useRef(false);

  const groupEvents = {
    onKeyDown: ({ key }: KeyboardEvent) => {
      isArrowDown.current = key.startsWith("Arrow");
    },
    onKeyUp: () => {
      isArrowDown.current = false;
    },
    onPointerDown: () => {
      isArrowDown.current = false;
    },
  };

  const tileEvents = (option: PropertyOption) => ({
    onClick: () => {
      choose(option);
      if (!isArrowDown.current) goOn();
    },
    onKeyDown: (event: KeyboardEvent) => {
      // Enter would submit the form with the earlier choice, and Space does nothing in Chromium and WebKit where an arrow has
      // already moved the choice.
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose(option);
      goOn();
    },
  });

  return { groupEvents, tileEvents };
}
