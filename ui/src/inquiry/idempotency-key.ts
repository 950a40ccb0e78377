/** What this module needs of the browser's crypto object. */
type RandomSource = Pick<Crypto, "getRandomValues"> & Partial<Pick<Crypto, "randomUUID">>;

/** Returns a new random UUID. Browsers offer `randomUUID` on https and localhost only; elsewhere it is built from bytes. */
export function newIdempotencyKey(random: RandomSource = crypto): string {
  return random.randomUUID?.() ?? uuidFrom(random.getRandomValues(new Uint8Array(16)));
}

/** Builds a UUID of version 4 and variant 1 (RFC 9562) from 16 random bytes. */
function uuidFrom(bytes: Uint8Array): string {
  const marked = bytes.map((byte, index) => {
    if (index === 6) return (byte & 0x0f) | 0x40;
    if (index === 8) return (byte & 0x3f) | 0x80;
    return byte;
  });
  const hex = Array.from(marked, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
