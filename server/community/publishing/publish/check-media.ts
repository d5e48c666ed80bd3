import { MEDIA_MAX, VIDEO_BYTES_ADVISED, VIDEO_BYTES_MAX } from '../../../../shared/constants.ts';
import type { Finding } from '../../../../shared/entities/finding.ts';
import type { ErrorDetail } from '../../../../shared/errors.ts';
import { finding, isFindingCode } from '../../../../shared/package/finding-codes.ts';
import { DEFAULT_PACKAGE_LIMITS, inMegabytes } from '../../../../shared/package/package.ts';
import { isMeantAsVideo } from '../../../../shared/upload/media-check.ts';
import { isAppError } from '../../../http/errors.ts';
import type { FileRules, FilesOf, UploadedFile } from '../../files/forms/uploads.ts';
import { withFileSource } from '../../files/media/files.ts';
import type { Turn } from '../../files/media/limiter.ts';
import type { PictureUpload, PreparedPicture } from '../../files/media/pictures.ts';
import { ONE_PICTURE, type Pictures } from '../../files/media/pictures.ts';
import type { PreparedFile, Videos } from '../../files/media/stored-files.ts';
import type { ListingChange, PluginFields } from './listing.ts';

/** File parts of the publishing form. Pictures among `media` have a smaller limit, checked once their type is known. */
export const PLUGIN_FILES = {
  code: { count: 1, bytes: DEFAULT_PACKAGE_LIMITS.fileBytes, tooLarge: 'PACKAGE_TOO_LARGE' },
  icon: ONE_PICTURE,
  cover: ONE_PICTURE,
  panel: ONE_PICTURE,
  media: { count: MEDIA_MAX, bytes: VIDEO_BYTES_MAX, tooLarge: 'VIDEO_TOO_LARGE', tooMany: 'TOO_MANY_MEDIA' },
} as const satisfies FileRules;

export type MediaDependencies = { pictures: Pictures; videos: Videos };

/** The checked pictures and videos of a form, ready to be stored, and the resulting changes of the listing. */
type CheckedPictures = {
  pictures: PreparedPicture[];
  videos: PreparedFile[];
  keys: ListingChange['pictures'];
  media: ListingChange['media'];
  findings: Finding[];
};

export type PictureFiles = Omit<FilesOf<typeof PLUGIN_FILES>, 'code'>;

const PLACES = ['icon', 'cover', 'panel'] as const;

/** Checks the pictures and videos of a form; the icon of the package is used where the form has none. */
export async function checkPictures(
  dependencies: MediaDependencies,
  {
    fields,
    files,
    packageIcon,
    turn,
  }: {
    fields: PluginFields;
    files: PictureFiles;
    /** With the JSON pointer for its errors. */
    packageIcon: { content: Uint8Array; pointer: string } | null;
    turn: Turn;
  },
): Promise<CheckedPictures> {
  const keys: ListingChange['pictures'] = {};
  const checked: CheckedUpload[] = [];
  for (const place of PLACES) {
    const isRemoved = fields.remove?.includes(place) ?? false;
    const keepsIcon = isRemoved || fields.keep?.includes('icon');
    const path = files[place][0]?.path;
    const given = path === undefined ? null : { content: path, pointer: `/${place}` };
    const source = given ?? (place === 'icon' && !keepsIcon ? packageIcon : null);
    if (source) {
      const role = place === 'icon' ? 'icon' : 'picture';
      const upload = await checkPicture(dependencies.pictures, { ...turn, ...source, role });
      if (upload.picture) keys[`${place}_key`] = upload.picture.picture.key;
      checked.push({ ...upload, findings: [...upload.findings, ...adviceOn(place, upload)] });
    } else if (isRemoved) {
      keys[`${place}_key`] = null;
    }
  }
  const media: CheckedUpload[] = [];
  for (const [index, file] of files.media.entries()) {
    media.push(await checkMediaUpload(dependencies, file, { ...turn, pointer: `/media/${index}` }));
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

/** A picture or video ready to be stored, or the errors that refuse it; with advice. */
type CheckedUpload = { picture?: PreparedPicture; video?: PreparedFile; findings: Finding[] };

async function checkPicture(pictures: Pictures, upload: PictureUpload & Turn): Promise<CheckedUpload> {
  return findingsOf(async () => {
    const picture = await pictures.prepare(upload);
    return { picture, findings: [] };
  });
}

async function checkMediaUpload(
  { pictures, videos }: MediaDependencies,
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

/** Returns the findings of a refused upload, so that they are reported with those of the others. */
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

/** Recommendations that refuse nothing (R 5.8). */
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
