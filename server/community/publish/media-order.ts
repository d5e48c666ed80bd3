import { MEDIA_MAX } from '../../../shared/constants.ts';
import type { Finding } from '../../../shared/entities/finding.ts';
import { finding } from '../../../shared/package/finding-codes.ts';
import type { StoredListing } from '../schema.ts';

type Media = StoredListing['media'];

/** What a form says of the pictures and videos of a listing. */
export type MediaChange = {
  /** All there are to be, in order; without it, what is handed in follows what is there. */
  order?: readonly ({ key: string } | { upload: number })[] | undefined;
  /** What was handed in, by its place among the `media` parts; a part that was refused is undefined. */
  uploads: readonly (Media[number] | undefined)[];
};

function keyOf(item: Media[number]): string {
  return 'picture_key' in item ? item.picture_key : item.file_key;
}

/**
 * The pictures and videos of a listing after a change: those named in their order, then what was handed in without
 * being named. Nothing is there twice.
 */
export function orderMedia(
  last: Media,
  { order, uploads }: MediaChange,
): { media: Media; findings: Finding[] } {
  const findings: Finding[] = [];
  const named = (order ?? last.map((item) => ({ key: keyOf(item) }))).map((choice, index) => {
    const found = 'key' in choice ? last.find((item) => keyOf(item) === choice.key) : uploads[choice.upload];
    if (!found && 'key' in choice) {
      findings.push(finding('MEDIA_UNKNOWN', { pointer: `/media_order/${index}/key` }));
    } else if ('upload' in choice && choice.upload >= uploads.length) {
      findings.push(finding('UPLOAD_MISSING', { pointer: `/media_order/${index}/upload` }));
    }
    return found;
  });
  const wanted = [...named, ...uploads].filter((item) => item !== undefined);
  const media = [...new Map(wanted.map((item) => [keyOf(item), item])).values()];
  if (media.length > MEDIA_MAX) {
    findings.push(finding('TOO_MANY_MEDIA', { pointer: '/media' }, { limit: String(MEDIA_MAX) }));
  }
  return { media, findings };
}
