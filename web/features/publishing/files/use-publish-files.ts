import { useState } from 'react';
import { ICON_PIXELS_MAX, MEDIA_MAX } from '../../../../shared/constants.ts';
import { finding } from '../../../../shared/package/finding-codes.ts';
import type { Problem } from '../sending/problem.ts';
import { checkedMedia, checkedPicture } from './check-file.ts';
import { type MediaChoice, movedMedia } from './media-choice.ts';
import { NO_PICTURE, type PictureName } from './picture-choice.ts';
import type { PublishFiles } from './publish-files.ts';

type Report = (pointer: string, problem: Problem | undefined) => void;

/**
 * The files of the form and what can be done with them; what cannot be taken is reported at its field.
 * @param urlOf makes the addresses by which the browser shows chosen files
 */
export function usePublishFiles(initial: PublishFiles, report: Report, urlOf: (file: File) => string) {
  const [files, setFiles] = useState(initial);
  const change = (update: (before: PublishFiles) => PublishFiles): void => setFiles(update);

  const choosePicture = async (name: PictureName, file: File): Promise<void> => {
    const pointer = `/${name}`;
    const checked = await checkedPicture(file, pointer, name === 'icon' ? ICON_PIXELS_MAX : undefined);
    if ('finding' in checked) return report(pointer, checked.finding);
    report(pointer, undefined);
    const url = urlOf(file);
    change((before) => ({ ...before, [name]: { state: 'chosen', file, url } }));
  };
  const removePicture = (name: PictureName): void => {
    report(`/${name}`, undefined);
    change((before) => ({ ...before, [name]: NO_PICTURE }));
  };
  const addMedia = async (added: readonly File[]): Promise<void> => {
    const pointer = '/media';
    const checked = await Promise.all(added.map((file) => checkedMedia(file, pointer)));
    const refused = checked.find((one) => 'finding' in one);
    const choices = checked.flatMap((one, place): MediaChoice[] => {
      const file = added[place];
      if ('finding' in one || !file) return [];
      const url = urlOf(file);
      return [{ id: url, kind: one.kind, url, file }];
    });
    const free = MEDIA_MAX - files.media.length;
    const tooMany = finding('TOO_MANY_MEDIA', { pointer }, { limit: String(MEDIA_MAX) });
    report(pointer, refused?.finding ?? (choices.length > free ? tooMany : undefined));
    change((before) => ({ ...before, media: [...before.media, ...choices].slice(0, MEDIA_MAX) }));
  };
  const removeMedia = (id: string): void => {
    report('/media', undefined);
    change((before) => ({ ...before, media: before.media.filter((choice) => choice.id !== id) }));
  };
  const moveMedia = (id: string, by: 1 | -1): void =>
    change((before) => ({ ...before, media: movedMedia(before.media, id, by) }));
  const setCode = (code: File | null): void => change((before) => ({ ...before, code }));

  return { files, setFiles, choosePicture, removePicture, addMedia, removeMedia, moveMedia, setCode };
}
