/** What a behaviour may do besides changing its element. */
export interface Tools {
  /** Opens an address of the site on the client. */
  navigate: (address: string) => void;
}

/**
 * Brings an element of static HTML to life; the HTML is complete and usable without. The answer, if there is one, undoes
 * what would outlive the element: timers and listeners elsewhere.
 */
export type Behaviour = (element: HTMLElement, tools: Tools) => (() => void) | void;
