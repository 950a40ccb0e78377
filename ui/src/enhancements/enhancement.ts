/** What an enhancement may use besides its element. */
export interface Tools {
  /** Opens an address of the site on the client. */
  navigate: (address: string) => void;
}

/**
 * Adds behaviour to an element of static HTML, which is complete and usable without. Returns a function that undoes it,
 * if there is anything to undo: React may stop an effect and start it again.
 */
export type Enhancement = (element: HTMLElement, tools: Tools) => (() => void) | void;
