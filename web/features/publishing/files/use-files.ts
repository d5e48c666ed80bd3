import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ICON_PIXELS_MAX, MEDIA_MAX } from '../../../../shared/constants.ts';
import type { Finding } from '../../../../shared/entities/finding.ts';
import { finding } from '../../../../shared/package/finding-codes.ts';
import { lazyWithRetry } from '../../../loading/lazy-with-retry.ts';
import type { Problem } from '../sending/problems.ts';
import {
  type MediaChoice,
  movedMedia,
  NO_PICTURE,
  type PictureChoice,
  type PictureName,
  type PublishFiles,
} from './files.ts';
import { useLeftOut } from './use-left-out.ts';

type Report = (pointer: string, problem: Problem | undefined) => void;

/**
 * The files of the form and the functions that change them; rejected files are reported at their field.
 * @param urlOf creates object URLs of chosen files
 */
export function useFileChoices(initial: PublishFiles, report: Report, urlOf: (file: File) => string) {
  const leaveOut = useLeftOut();
  const [files, setFiles] = useState(initial);
  /** The current files, for callbacks that started earlier. */
  const latest = useRef(initial);
  /** The latest check of each picture: an earlier one that ends later is ignored. */
  const checks = useRef<Partial<Record<PictureName, Promise<void>>>>({});
  /** The last addition to the gallery: a later one with faster checks waits for it. */
  const addition = useRef(Promise.resolve());
  const change = (update: (before: PublishFiles) => PublishFiles): void => {
    latest.current = update(latest.current);
    setFiles(latest.current);
  };

  const choosePicture = (name: PictureName, file: File): Promise<void> => {
    const check = takePicture(name, file, () => checks.current[name] === check);
    checks.current[name] = check;
    return check;
  };
  const takePicture = async (name: PictureName, file: File, isLast: () => boolean): Promise<void> => {
    const pointer = `/${name}`;
    const checked = await checkedPicture(file, pointer, name === 'icon' ? ICON_PIXELS_MAX : undefined);
    if (!isLast()) return;
    if ('finding' in checked) return report(pointer, checked.finding);
    report(pointer, undefined);
    const url = urlOf(file);
    change((before) => ({ ...before, [name]: { state: 'chosen', file, url } }));
  };
  /** The picture's state when the check of a chosen one has ended. */
  const awaitPicture = async (name: PictureName): Promise<PictureChoice> => {
    const check = checks.current[name];
    await check;
    return check === checks.current[name] ? latest.current[name] : awaitPicture(name);
  };
  const removePicture = (name: PictureName): void => {
    delete checks.current[name];
    report(`/${name}`, undefined);
    change((before) => ({ ...before, [name]: NO_PICTURE }));
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
    const room = MEDIA_MAX - latest.current.media.length;
    const surplus = good.slice(room).map(({ file }) => file);
    const tooMany = finding('TOO_MANY_MEDIA', { pointer }, { limit: String(MEDIA_MAX) });
    report(pointer, refused?.finding ?? (surplus.length > 0 ? tooMany : undefined));
    leaveOut(surplus);
    const choices = good.slice(0, room).map(({ kind, file }): MediaChoice => {
      const url = urlOf(file);
      return { id: url, kind, url, file };
    });
    change((before) => ({ ...before, media: [...before.media, ...choices] }));
  };
  const removeMedia = (id: string): void => {
    report('/media', undefined);
    change((before) => ({ ...before, media: before.media.filter((choice) => choice.id !== id) }));
  };
  const moveMedia = (id: string, by: 1 | -1): void =>
    change((before) => ({ ...before, media: movedMedia(before.media, id, by) }));

  return {
    files,
    setFiles: change,
    choosePicture,
    awaitPicture,
    removePicture,
    addMedia,
    removeMedia,
    moveMedia,
  };
}

export type FileChoices = ReturnType<typeof useFileChoices>;

/** Creates object URLs; all of them are revoked on unmount. */
export function useObjectUrls(): (file: File) => string {
  const urls = useRef(new Set<string>());
  useEffect(() => {
    const made = urls.current;
    return () => {
      for (const url of made) URL.revokeObjectURL(url);
      made.clear();
    };
  }, []);
  return useCallback((file) => {
    const url = URL.createObjectURL(file);
    urls.current.add(url);
    return url;
  }, []);
}

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

const PASTED_NAME = 'pasted.json';

/**
 * Page drop and paste: files pasted outside a field are handled, and files dropped outside one are ignored, or the
 * browser would navigate to them.
 * @param takesText the text of a package, pasted outside any field, is handled as a file
 */
export function usePageFiles(onPasted: (files: File[]) => void, takesText = false): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    const text = takesText && files.length === 0 ? packageText(event) : '';
    const pasted = text === '' ? files : [new File([text], PASTED_NAME, { type: 'application/json' })];
    if (event.defaultPrevented || pasted.length === 0) return;
    event.preventDefault();
    onPasted(pasted);
  });
  useEffect(() => {
    const hold = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    const takePasted = (event: ClipboardEvent): void => paste(event);
    document.addEventListener('paste', takePasted);
    document.addEventListener('dragover', hold);
    document.addEventListener('drop', hold);
    return () => {
      document.removeEventListener('paste', takePasted);
      document.removeEventListener('dragover', hold);
      document.removeEventListener('drop', hold);
    };
  }, []);
}

/** True for a file that looks like a package by name or type; its content is checked later. */
export function looksLikePackage({ name, type }: File): boolean {
  return type === 'application/json' || /\.json$/i.test(name);
}

function packageText({ target, clipboardData }: ClipboardEvent): string {
  if (target instanceof HTMLElement && target.matches('input:not([type=file]), textarea')) return '';
  const text = clipboardData?.getData('text/plain').trim() ?? '';
  return /^[[{]/.test(text) ? text : '';
}
