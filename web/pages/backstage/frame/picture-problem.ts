import { isApiError } from '../../../api/api-error.ts';

/** Texts of the namespace `backstage` that say what is wrong with a picture. */
export type PictureText = 'image_format' | 'image_size' | 'image_pixels';

const TEXTS: Readonly<Record<string, PictureText>> = {
  IMAGE_FORMAT: 'image_format',
  UNSUPPORTED_MEDIA_TYPE: 'image_format',
  IMAGE_TOO_LARGE: 'image_size',
  IMAGE_TOO_MANY_PIXELS: 'image_pixels',
  BODY_TOO_LARGE: 'image_size',
};

/** What a refused upload says of its picture, or undefined when it was about something else. */
export function pictureProblem(error: unknown): PictureText | undefined {
  return isApiError(error) && error.reason ? TEXTS[error.reason] : undefined;
}
