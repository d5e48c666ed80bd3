const PRIMES = [0x01000193, 0x85ebca6b] as const;
const START = 0x811c9dc5;

/**
 * A short text that equal bytes share and others hardly ever do. For telling packages apart on a screen; the service
 * trusts SHA-256 alone, which pages on plain http do not have.
 */
export function fingerprint(bytes: Uint8Array): string {
  let first = START;
  let second = START ^ bytes.length;
  for (const byte of bytes) {
    first = Math.imul(first ^ byte, PRIMES[0]);
    second = Math.imul(second ^ byte, PRIMES[1]) + first;
  }
  return [first, second, bytes.length].map((part) => (part >>> 0).toString(16)).join('-');
}
