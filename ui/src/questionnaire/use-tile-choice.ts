import { type KeyboardEvent, useRef } from "react";
import type { PropertyOption } from "../inquiry/options.ts";

/**
 * A pointer, Space or Enter chooses a tile and goes on; arrow keys only move the choice (WCAG 3.2.2). A radio button
 * that is reached by an arrow key is clicked by the browser within the key press, which is how the two are told apart.
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
      if (event.key !== "Enter") return;
      // Enter would submit the form with the choice as it was before.
      event.preventDefault();
      choose(option);
      goOn();
    },
  });

  return { groupEvents, tileEvents };
}
