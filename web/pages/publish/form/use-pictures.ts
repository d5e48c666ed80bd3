import { useRef } from 'react';
import { ICON_PIXELS_MAX, MEDIA_MAX } from '../../../../shared/constants.ts';
import type { Finding } from '../../../../shared/entities/finding.ts';
import { finding } from '../../../../shared/package/finding-codes.ts';
import { lazyWithRetry } from '../../../loading/lazy-with-retry.ts';
import { useLeftOut } from '../../../ui/file-drop/use-left-out.ts';
import {
  type MediaChoice,
  movedMedia,
  NO_PICTURE,
  type PictureChoice,
  type PictureName,
  toggledBefore,
  withoutMedia,
} from './files.ts';
import { changeFiles, type FormStore, report } from './form-state.ts';

/**
 * Changes the pictures and the gallery of the form; rejected files are reported at their field.
 * @param urlOf creates object URLs of chosen files
 */
export function usePictures({ change, latest }: FormStore, urlOf: (file: File) => string) {
  const leaveOut = useLeftOut();
  /** The latest check of each picture: an earlier one that ends later is ignored. */
  const checks = useRef<Partial<Record<PictureName, Promise<void>>>>({});
  /** The last addition to the gallery: a later one with faster checks waits for it. */
  const addition = useRef(Promise.resolve());
  const setPicture = (name: PictureName, choice: PictureChoice): void =>
    change((now) => changeFiles(report(now, name), (files) => ({ ...files, [name]: choice })));
  const setMedia = (update: (media: MediaChoice[]) => MediaChoice[], problem?: Finding): void =>
    change((now) =>
      changeFiles(report(now, 'media', problem), (files) => ({ ...files, media: update(files.media) })),
    );

  const choosePicture = (name: PictureName, file: File): Promise<void> => {
    const check = takePicture(name, file, () => checks.current[name] === check);
    checks.current[name] = check;
    return check;
  };
  const takePicture = async (name: PictureName, file: File, isLast: () => boolean): Promise<void> => {
    const checked = await checkedPicture(file, `/${name}`, name === 'icon' ? ICON_PIXELS_MAX : undefined);
    if (!isLast()) return;
    if ('finding' in checked) change((now) => report(now, name, checked.finding));
    else setPicture(name, { state: 'chosen', file, url: urlOf(file) });
  };
  /** The picture's state when the check of a chosen one has ended. */
  const awaitPicture = async (name: PictureName): Promise<PictureChoice> => {
    const check = checks.current[name];
    await check;
    return check === checks.current[name] ? latest().files[name] : awaitPicture(name);
  };
  const removePicture = (name: PictureName): void => {
    delete checks.current[name];
    setPicture(name, NO_PICTURE);
  };
  const addMedia = (added: readonly File[]): Promise<void> => {
    addition.current = takeMedia(added, addition.current);
    return addition.current;
  };
  const takeMedia = async (added: readonly File[], earlier: Promise<void>): Promise<void> => {
    const pointer = '/media';
    const check = Promise.all(added.map((file) => checkedMedia(file, pointer)));
    // A failure of the earlier one is its own.
    const [checked] = await Promise.all([check, earlier.catch(() => undefined)]);
    const refused = checked.find((one) => 'finding' in one);
    const good = checked.flatMap((one, index) => {
      const file = added[index];
      return 'finding' in one || !file ? [] : [{ kind: one.kind, file }];
    });
    // Others may have been added during the check.
    const room = MEDIA_MAX - latest().files.media.length;
    const surplus = good.slice(room).map(({ file }) => file);
    const tooMany = finding('TOO_MANY_MEDIA', { pointer }, { limit: String(MEDIA_MAX) });
    const choices = good.slice(0, room).map(({ kind, file }): MediaChoice => {
      const url = urlOf(file);
      return { id: url, kind, url, file };
    });
    leaveOut(surplus);
    setMedia(
      (media) => [...media, ...choices],
      refused?.finding ?? (surplus.length > 0 ? tooMany : undefined),
    );
  };
  const removeMedia = (id: string): void => setMedia((media) => withoutMedia(media, id));
  const toggleBefore = (id: string): void => setMedia((media) => toggledBefore(media, id));
  const moveMedia = (id: string, by: 1 | -1): void =>
    change((now) => changeFiles(now, (files) => ({ ...files, media: movedMedia(files.media, id, by) })));

  return { choosePicture, awaitPicture, removePicture, addMedia, removeMedia, moveMedia, toggleBefore };
}

export type Pictures = ReturnType<typeof usePictures>;

/** A file with its detected kind, or the reason why it was rejected. */
type CheckedMedia = { kind: 'image' | 'video' } | { finding: Finding };

const byteSource = () => import('../../../../shared/upload/byte-source.ts');
const mediaCheck = lazyWithRetry(async () => ({
  ...(await import('../../../../shared/upload/media-check.ts')),
  ...(await byteSource()),
}));
const imageCheck = lazyWithRetry(async () => ({
  ...(await import('../../../../shared/upload/image-check.ts')),
  ...(await byteSource()),
}));

/** Detects a picture or video by its content, and a broken one by its name. The check is loaded with the first file. */
async function checkedMedia(file: File, pointer: string): Promise<CheckedMedia> {
  const { checkMedia, blobSource } = await mediaCheck.load();
  const found = await checkMedia(blobSource(file), { pointer, name: file.name });
  return 'kind' in found ? { kind: found.kind } : { finding: found };
}

/** The same, but rejects everything except pictures. */
async function checkedPicture(file: File, pointer: string, pixels?: number): Promise<CheckedMedia> {
  const { checkImage, blobSource } = await imageCheck.load();
  const found = await checkImage(blobSource(file), pointer, pixels);
  return 'kind' in found ? { kind: 'image' } : { finding: found };
}
