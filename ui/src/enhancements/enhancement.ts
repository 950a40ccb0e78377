/** What an enhancement may use besides its element. */
export interface Tools {
  /** Opens an address of the site on the client. */
  navigate: (address: string) => void;
}

/**
 * Adds to an element of static HTML what needs code; without it the element is complete and usable. Returns a function that
 * undoes this, where there is something to undo: React starts an effect anew whenever it likes.
 */
export type Enhancement = (element: HTMLElement, tools: Tools) => (() => void) | void;
