import { MEDIA_MAX, VIDEO_BYTES_ADVISED, VIDEO_BYTES_MAX } from '../../../shared/constants.ts';
import type { Finding } from '../../../shared/entities/finding.ts';
import type { ErrorDetail } from '../../../shared/errors.ts';
import { finding, isFindingCode } from '../../../shared/package/finding-codes.ts';
import { DEFAULT_PACKAGE_LIMITS, inMegabytes } from '../../../shared/package/package.ts';
import { isMeantAsVideo } from '../../../shared/upload/media-check.ts';
import { isAppError } from '../../http/errors.ts';
import type { FileRules, FilesOf, UploadedFile } from '../forms/uploads.ts';
import { withFileSource } from '../media/file-source.ts';
import type { Turn } from '../media/limiter.ts';
import { ONE_PICTURE, type Pictures } from '../media/pictures.ts';
import type { PictureUpload, PreparedPicture } from '../media/prepare-picture.ts';
import type { PreparedFile, Videos } from '../media/stored-files.ts';
import type { ListingChange, PluginFields } from './listing.ts';

/** File parts of the publishing form. Of `media`, what is a picture is held to its own limit once it is known. */
export const PLUGIN_FILES = {
  code: { count: 1, bytes: DEFAULT_PACKAGE_LIMITS.fileBytes, tooLarge: 'PACKAGE_TOO_LARGE' },
  icon: ONE_PICTURE,
  cover: ONE_PICTURE,
  panel: ONE_PICTURE,
  media: { count: MEDIA_MAX, bytes: VIDEO_BYTES_MAX, tooLarge: 'VIDEO_TOO_LARGE', tooMany: 'TOO_MANY_MEDIA' },
} as const satisfies FileRules;

export type MediaParts = { pictures: Pictures; videos: Videos };

/** All pictures and videos that came, ready to be stored, and what the listing is to say of them. */
type CheckedPictures = {
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

/** A picture or video ready to be stored, or what it was refused for; with advice that refuses nothing. */
type CheckedUpload = { picture?: PreparedPicture; video?: PreparedFile; findings: Finding[] };

/** A picture that has a place of its own in the listing. */
async function checkPicture(pictures: Pictures, upload: PictureUpload & Turn): Promise<CheckedUpload> {
  return findingsOf(async () => {
    const picture = await pictures.prepare(upload);
    return { picture, findings: [] };
  });
}

/** A picture or a video, whichever it is meant as. */
async function checkMediaUpload(
  { pictures, videos }: MediaParts,
  { path, filename }: UploadedFile,
  call: Turn & { pointer: string },
): Promise<CheckedUpload> {
  const { pointer } = call;
  const isVideo = await withFileSource(path, (source) => isMeantAsVideo(source, filename));
  if (!isVideo) return checkPicture(pictures, { ...call, content: path });
  return findingsOf(async () => {
    const video = await videos.prepare(path, call);
    const isHeavy = video.file.bytes > VIDEO_BYTES_ADVISED;
    const size = inMegabytes(VIDEO_BYTES_ADVISED);
    return { video, findings: isHeavy ? [finding('VIDEO_SIZE_ADVISED', { pointer }, { size })] : [] };
  });
}

/** What a check refuses with is told together with what the others find. */
async function findingsOf(check: () => Promise<CheckedUpload>): Promise<CheckedUpload> {
  try {
    return await check();
  } catch (error) {
    if (!isAppError(error)) throw error;
    const findings = error.details.filter(isFinding);
    if (findings.length === 0) throw error;
    return { findings };
  }
}

function isFinding(detail: ErrorDetail): detail is Finding {
  return detail.severity !== undefined && detail.code !== undefined && isFindingCode(detail.code);
}

const ICON_SIDE = 32;
const COVER_RATIO = 16 / 9;

/** What pictures should be and need not (specification section 5). */
function adviceOn(field: string, { picture }: CheckedUpload): Finding[] {
  if (!picture) return [];
  const { width, height } = picture.picture;
  const pointer = `/${field}`;
  if (field === 'icon' && (width !== height || width < ICON_SIDE)) {
    const side = String(ICON_SIDE);
    return [finding('IMAGE_SIZE_ADVISED', { pointer }, { width: side, height: side })];
  }
  if (field === 'cover' && Math.abs(width / height - COVER_RATIO) > 0.05) {
    return [finding('IMAGE_RATIO_ADVISED', { pointer }, { ratio: '16:9' })];
  }
  return [];
}
