declare module "wawoff2" {
  const wawoff: { decompress(font: Uint8Array): Promise<Uint8Array> };
  export default wawoff;
}
