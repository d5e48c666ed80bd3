const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_LENGTH = 6;
const POLYNOMIAL = 0xedb88320;

/**
 * True when the last six characters of a GitHub or npm token are the checksum of those between its prefix and them:
 * CRC-32 in base 62. What only looks like a token does not pass.
 */
export function hasChecksum(token: string): boolean {
  const body = token.slice(token.indexOf('_') + 1);
  const checked = body.slice(0, -CHECKSUM_LENGTH);
  return base62(crc32(checked)) === body.slice(-CHECKSUM_LENGTH);
}

/** CRC-32 of ISO 3309 over ASCII text. */
function crc32(text: string): number {
  let sum = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    sum ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ POLYNOMIAL : sum >>> 1;
  }
  return ~sum >>> 0;
}

function base62(value: number): string {
  let rest = value;
  let text = '';
  while (text.length < CHECKSUM_LENGTH) {
    text = (DIGITS[rest % 62] ?? '') + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
