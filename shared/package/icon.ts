import { type Check, isTextAt } from './manifest/checks.ts';
import type { JsonValue } from './package.ts';

const DATA_URL = /^data:image\/[a-z0-9.+-]{1,40}(?:;[a-z0-9=.-]{1,40}){0,3};base64,/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** First bytes of the accepted image formats; 'x' is any byte. */
const SIGNATURES: readonly (readonly (number | 'x')[])[] = [
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  [0xff, 0xd8],
  [0x47, 0x49, 0x46, 0x38],
  [0x52, 0x49, 0x46, 0x46, 'x', 'x', 'x', 'x', 0x57, 0x45, 0x42, 0x50],
  ['x', 'x', 'x', 'x', 0x66, 0x74, 0x79, 0x70, 0x61, 0x76, 0x69],
  ['x', 'x', 'x', 'x', 0x66, 0x74, 0x79, 0x70, 0x6d, 0x69, 0x66, 0x31],
];

/** An icon as a data URL. Its format is detected from the content; the declared type is ignored. */
export const icon: Check = (value, path, context) => {
  const { report, limits } = context;
  if (!isTextAt(value, path, context)) return;
  const payload = payloadOf(value);
  if (payload === undefined) report.value(path, 'ICON_DATA_URL');
  else if (decodedLength(payload) > limits.iconBytes) {
    report.value(path, 'ICON_TOO_LARGE', { size: String(Math.floor(limits.iconBytes / 1024)) });
  } else if (!isPicture(decode(payload))) report.value(path, 'IMAGE_FORMAT');
};

/** Decodes an icon. @returns null for one that `icon` reports */
export function iconBytes(value: JsonValue | undefined, limit: number): Uint8Array | null {
  const payload = typeof value === 'string' ? payloadOf(value) : undefined;
  if (payload === undefined || decodedLength(payload) > limit) return null;
  const bytes = decode(payload);
  return isPicture(bytes) ? bytes : null;
}

function payloadOf(url: string): string | undefined {
  const head = DATA_URL.exec(url.slice(0, 300))?.[0];
  if (head === undefined) return undefined;
  const payload = url.slice(head.length);
  return payload.length % 4 === 0 && payload !== '' && BASE64.test(payload) ? payload : undefined;
}

function decodedLength(payload: string): number {
  const padding = payload.endsWith('==') ? 2 : Number(payload.endsWith('='));
  return (payload.length / 4) * 3 - padding;
}

function decode(payload: string): Uint8Array {
  return Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
}

function isPicture(bytes: Uint8Array): boolean {
  return SIGNATURES.some((signature) =>
    signature.every((byte, index) => byte === 'x' || bytes[index] === byte),
  );
}
