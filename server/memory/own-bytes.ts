/**
 * The same bytes in memory of their own. Node cuts small buffers from pieces of 64 KiB, and one of them that is kept
 * keeps the whole piece: for what lives as long as the request that is no matter, in a store it is.
 */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
