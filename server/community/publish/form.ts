import { IMAGE_BYTES_MAX, MEDIA_MAX, VIDEO_BYTES_MAX } from '../../../shared/constants.ts';
import { DEFAULT_PACKAGE_LIMITS } from '../../../shared/package/limits.ts';
import type { FileRules } from '../forms/rules.ts';

const picture = { count: 1, bytes: IMAGE_BYTES_MAX, tooLarge: 'IMAGE_TOO_LARGE' } as const;

/** File parts of the publishing form. Of `media`, what is a picture is held to its own limit once it is known. */
export const PLUGIN_FILES = {
  code: { count: 1, bytes: DEFAULT_PACKAGE_LIMITS.fileBytes, tooLarge: 'PACKAGE_TOO_LARGE' },
  icon: picture,
  cover: picture,
  panel: picture,
  media: { count: MEDIA_MAX, bytes: VIDEO_BYTES_MAX, tooLarge: 'VIDEO_TOO_LARGE', tooMany: 'TOO_MANY_MEDIA' },
} as const satisfies FileRules;

/** How long texts and lists may be is judged with the rest of the listing, so that one answer tells all faults. */
export const JUDGED_WITH_LISTING = ['maxLength', 'maxItems'] as const;
