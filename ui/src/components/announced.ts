/** Says what was just done, on a page that was loaded for it: readers hear what has the focus, but no region that was there already. */
export const ANNOUNCED = { role: "status", tabIndex: -1, autoFocus: true } as const;
