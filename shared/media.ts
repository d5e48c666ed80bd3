import { PICTURE_WIDTHS } from './constants.ts';

/**
 * Address of a stored picture in one of its widths (content-addressed, so it can be cached for ever). A picture that is not
 * uploaded yet has its blob address instead of a key.
 */
export function pictureUrl(key: string, width: number): string {
  if (key.startsWith('blob:')) return key;
  return `/api/cmt/media/${key}-${width}.webp`;
}

/** `srcset` of a stored picture in its widths. */
export function pictureSrcset(key: string, widths: readonly number[] = PICTURE_WIDTHS): string {
  return widths.map((width) => `${pictureUrl(key, width)} ${width}w`).join(', ');
}

/** Address of a stored video or package file under its own name. */
export function fileUrl(name: string): string {
  return `/api/cmt/media/${name}`;
}

/** Address of a package by the SHA-256 of its content. */
export function packageUrl(digest: string): string {
  return `/api/cmt/package/${digest}`;
}

const PICTURE_ADDRESS = /^\/api\/cmt\/media\/([0-9a-f]{32}(?:[0-9a-f]{32})?)-[1-9]\d{0,4}\.webp$/;

/** The picture that an address of `pictureUrl` shows, or null for any other address. */
export function pictureKeyOf(address: string): string | null {
  return PICTURE_ADDRESS.exec(address)?.[1] ?? null;
}
