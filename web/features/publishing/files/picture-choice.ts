import type { Picture } from '../../../../shared/entities/plugin.ts';

/** The one pictures of a listing. */
export const PICTURES = ['icon', 'cover', 'panel'] as const;
export type PictureName = (typeof PICTURES)[number];

/** A picture of the listing: none, the one that is stored, or a file to be sent. `url` is the browser's own. */
export type PictureChoice =
  | { state: 'none' }
  | { state: 'kept'; picture: Picture }
  | { state: 'chosen'; file: File; url: string };

export const NO_PICTURE: PictureChoice = { state: 'none' };

/** The choice that leaves a listing as it is. */
export function keptPicture(picture: Picture | null): PictureChoice {
  return picture ? { state: 'kept', picture } : NO_PICTURE;
}

/** A picture that pages can show, also while it is only in this browser. */
export function shownPicture(choice: PictureChoice): Picture | null {
  if (choice.state === 'none') return null;
  if (choice.state === 'kept') return choice.picture;
  return { key: choice.url, width: 16, height: 9, widths: [1] };
}
