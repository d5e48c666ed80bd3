import type { Finding } from '../../../shared/entities/finding.ts';
import type { FilesOf } from '../forms/rules.ts';
import type { Turn } from '../media/limiter.ts';
import type { PreparedPicture } from '../media/prepare-picture.ts';
import type { PreparedFile } from '../media/stored-files.ts';
import {
  adviceOn,
  type CheckedUpload,
  checkMediaUpload,
  checkPicture,
  type MediaParts,
} from './check-uploads.ts';
import type { PLUGIN_FILES } from './form.ts';
import type { ListingChange, PluginFields } from './merge-listing.ts';

/** All pictures and videos that came, ready to be stored, and what the listing is to say of them. */
export type CheckedPictures = {
  pictures: PreparedPicture[];
  videos: PreparedFile[];
  keys: ListingChange['pictures'];
  media: ListingChange['media'];
  findings: Finding[];
};

/** The parts of a form that are pictures and videos. */
export type PictureFiles = Omit<FilesOf<typeof PLUGIN_FILES>, 'code'>;

const PLACES = ['icon', 'cover', 'panel'] as const;

/** Checks the pictures and videos of a form; the icon of its package stands in where the form has none. */
export async function checkPictures(
  parts: MediaParts,
  {
    fields,
    files,
    packageIcon,
    packageIconAt = '/icon',
    turn,
  }: {
    fields: PluginFields;
    files: PictureFiles;
    packageIcon: Uint8Array | null;
    /** Where faults of that icon are told. */
    packageIconAt?: string;
    turn: Turn;
  },
): Promise<CheckedPictures> {
  const keys: ListingChange['pictures'] = {};
  const checked: CheckedUpload[] = [];
  for (const place of PLACES) {
    const isRemoved = fields.remove?.includes(place) ?? false;
    const isKept = isRemoved || (place === 'icon' && fields.keep?.includes(place));
    const given = files[place][0]?.path;
    const content = given ?? (place === 'icon' && !isKept ? packageIcon : null);
    if (content) {
      const pointer = given || place !== 'icon' ? `/${place}` : packageIconAt;
      const role = place === 'icon' ? 'icon' : 'picture';
      const upload = await checkPicture(parts.pictures, { ...turn, content, role, pointer });
      if (upload.picture) keys[`${place}_key`] = upload.picture.picture.key;
      checked.push({ ...upload, findings: [...upload.findings, ...adviceOn(place, upload)] });
    } else if (isRemoved) {
      keys[`${place}_key`] = null;
    }
  }
  const media: CheckedUpload[] = [];
  for (const [index, file] of files.media.entries()) {
    media.push(await checkMediaUpload(parts, file, { ...turn, pointer: `/media/${index}` }));
  }
  const all = [...checked, ...media];
  return {
    pictures: all.flatMap(({ picture }) => picture ?? []),
    videos: all.flatMap(({ video }) => video ?? []),
    keys,
    media: { order: fields.media_order, uploads: media.map(mediaItemOf) },
    findings: all.flatMap(({ findings }) => findings),
  };
}

function mediaItemOf({ picture, video }: CheckedUpload) {
  if (picture) return { picture_key: picture.picture.key };
  return video ? { file_key: video.file.key } : undefined;
}
