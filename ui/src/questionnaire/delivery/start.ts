/*
 * The root of the code that pages load when an inquiry waits. It is apart, because the bundler keeps every name of a root and
 * of what a root imports, and the island's script holds the rest of this folder, too.
 */
export { startDelivery } from "./delivery.ts";
