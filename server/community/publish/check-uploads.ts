import { VIDEO_BYTES_ADVISED } from '../../../shared/constants.ts';
import type { Finding } from '../../../shared/entities/finding.ts';
import type { ErrorDetail } from '../../../shared/errors.ts';
import { finding, isFindingCode } from '../../../shared/package/finding-codes.ts';
import { inMegabytes } from '../../../shared/package/limits.ts';
import { isMeantAsVideo } from '../../../shared/upload/media-check.ts';
import { isAppError } from '../../http/errors.ts';
import type { UploadedFile } from '../forms/rules.ts';
import { withFileSource } from '../media/file-source.ts';
import type { Turn } from '../media/limiter.ts';
import type { Pictures } from '../media/pictures.ts';
import type { PictureUpload, PreparedPicture } from '../media/prepare-picture.ts';
import type { PreparedFile } from '../media/stored-files.ts';
import type { Videos } from '../media/videos.ts';

export type MediaParts = { pictures: Pictures; videos: Videos };

/** A picture or video ready to be stored, or what it was refused for; with advice that refuses nothing. */
export type CheckedUpload = { picture?: PreparedPicture; video?: PreparedFile; findings: Finding[] };

/** A picture that has a place of its own in the listing. */
export async function checkPicture(pictures: Pictures, upload: PictureUpload & Turn): Promise<CheckedUpload> {
  return findingsOf(async () => {
    const picture = await pictures.prepare(upload);
    return { picture, findings: [] };
  });
}

/** A picture or a video, whichever it is meant as. */
export async function checkMediaUpload(
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
export function adviceOn(field: string, { picture }: CheckedUpload): Finding[] {
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
