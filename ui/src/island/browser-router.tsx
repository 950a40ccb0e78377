import { type ReactNode, useLayoutEffect, useState } from "react";
import { Router, UNSAFE_createBrowserHistory as createBrowserHistory } from "react-router";

/**
 * Follows the browser's history. It is react-router's BrowserRouter without what that one's module brings along: forms,
 * fetchers and prefetching, 5 KB that nothing here uses.
 */
export function BrowserRouter({ children }: { children: ReactNode }) {
  // `v5Compat`: it also tells of entries that the router itself makes.
  const [history] = useState(() => createBrowserHistory({ window, v5Compat: true }));
  const [{ action, location }, setEntry] = useState({ action: history.action, location: history.location });
  useLayoutEffect(() => history.listen(({ action, location }) => setEntry({ action, location })), [history]);
  return (
    <Router location={location} navigationType={action} navigator={history}>
      {children}
    </Router>
  );
}
