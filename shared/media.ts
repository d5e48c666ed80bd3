import { PICTURE_WIDTHS } from './constants.ts';

/** Address of a stored picture at one of its widths (content-addressed, so it may be cached for ever). */
export function pictureUrl(key: string, width: number): string {
  return `/api/cmt/media/${key}-${width}.webp`;
}

/** `srcset` of a stored picture: the widths it was made in. */
export function pictureSrcset(key: string, widths: readonly number[] = PICTURE_WIDTHS): string {
  return widths.map((width) => `${pictureUrl(key, width)} ${width}w`).join(', ');
}

/** Address of a stored video or package file under its own name. */
export function fileUrl(name: string): string {
  return `/api/cmt/media/${name}`;
}
