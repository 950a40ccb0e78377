/*
 * The entry point of the code that pages load when an inquiry waits. It is separate, because the bundler keeps every
 * export of an entry point and of its imports, and the island's script also contains the rest of this folder.
 */
export { startDelivery } from "./delivery.ts";
