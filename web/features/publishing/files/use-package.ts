import { useEffect, useRef, useState } from 'react';
import type { Finding } from '../../../../shared/entities/finding.ts';
import { finding, isUsable } from '../../../../shared/package/finding-codes.ts';
import type { PackageReading } from '../../../../shared/package/package.ts';
import type { NamedTag } from '../../../../shared/tags.ts';
import { readPackageFile, useKnownHosts } from '../../packages/index.ts';
import type { Fields } from '../values/use-fields.ts';
import { NO_PICTURE, type PictureChoice } from './files.ts';
import type { FileChoices } from './use-files.ts';

type PackageState =
  | { state: 'none' }
  | { state: 'reading'; name: string }
  | { state: 'read'; name: string; reading: PackageReading }
  | { state: 'unreadable'; name: string };

/** True when the package can't be published as it is. */
export function isBroken(state: PackageState): boolean {
  return state.state === 'unreadable' || (state.state === 'read' && !isUsable(state.reading.findings));
}

/** The first error of a package that can't be published. */
export function packageErrorOf(state: PackageState): Finding | undefined {
  if (state.state === 'unreadable') return finding('FILE_UNREADABLE', { pointer: '/code' });
  if (state.state !== 'read') return undefined;
  return state.reading.findings.find(({ severity }) => severity === 'error');
}

type Options = {
  fields: Fields;
  choices: FileChoices;
  /** Names and codes of existing tags. */
  knownTags: readonly NamedTag[];
  urlOf: (file: File) => string;
};

/** The user has chosen an icon and the package has a different one; `url` shows the package's. */
export type IconDifference = { mine: PictureChoice; file: File; url: string };

/** Finding code of a file that isn't a package at all; it is discarded. */
const NOT_JSON = 'NOT_JSON';

/**
 * The package of the form: it is read immediately and fills in fields that the user hasn't edited. Values of the
 * previous package are removed; a package with errors fills in nothing.
 */
export function usePackage({ fields, choices, knownTags, urlOf }: Options) {
  const { state, read, clear } = usePackageReading();
  const [otherIcon, setOtherIcon] = useState<IconDifference>();
  const packagedIcon = useRef<{ file: File; before: PictureChoice }>(undefined);
  /** The latest package; undefined without one. */
  const last = useRef<File>(undefined);
  const { icon } = choices.files;
  /** A difference is resolved once the user has edited the field. */
  const iconDifference = otherIcon?.mine === icon ? otherIcon : undefined;
  const setCode = (code: File | null): void => choices.setFiles((others) => ({ ...others, code }));

  /** `since` is the icon when reading began: one that was removed since isn't restored. */
  const takeIcon = async (content: Uint8Array | null | undefined, since: PictureChoice): Promise<void> => {
    const code = last.current;
    const now = await choices.awaitPicture('icon');
    if (last.current !== code) return;
    const file = content ? new File([new Uint8Array(content)], 'icon') : undefined;
    const packaged = packagedIcon.current;
    const isPackaged = now.state === 'chosen' && now.file === packaged?.file;
    const mine = isPackaged && packaged ? packaged.before : now;
    setOtherIcon(undefined);
    packagedIcon.current = undefined;
    if (isPackaged) choices.setFiles((others) => ({ ...others, icon: mine }));
    if (file && mine.state === 'none' && (isPackaged || now === since)) await showIcon(file, mine);
    else if (file && !(mine.state === 'chosen' && (await isSameFile(mine.file, file))))
      setOtherIcon({ mine, file, url: urlOf(file) });
  };
  const showIcon = async (file: File, before: PictureChoice): Promise<void> => {
    packagedIcon.current = { file, before };
    await choices.choosePicture('icon', file);
  };
  const decideIcon = (side: 'mine' | 'packaged'): void => {
    setOtherIcon(undefined);
    if (iconDifference && side === 'packaged') void showIcon(iconDifference.file, iconDifference.mine);
  };
  const removeCode = (): void => {
    clear();
    last.current = undefined;
    setCode(null);
    fields.takePackage(undefined, knownTags);
    void takeIcon(undefined, NO_PICTURE);
  };
  const chooseCode = async (file: File): Promise<void> => {
    fields.report('/code', undefined);
    last.current = file;
    const since = { values: fields.values, language: fields.language };
    const reading = await read(file);
    if (reading === 'superseded') return;
    const notJson = reading?.findings.find(({ code }) => code === NOT_JSON);
    if (notJson) {
      removeCode();
      return fields.report('/code', { ...notJson, pointer: '/code' });
    }
    setCode(file);
    const found = reading?.package && isUsable(reading.findings) ? reading.package : undefined;
    fields.takePackage(found, knownTags, since);
    await takeIcon(found?.icon, icon);
  };
  return { state, chooseCode, removeCode, iconDifference, decideIcon };
}

export type FormPackage = ReturnType<typeof usePackage>;

/** Reads a package; a newer one replaces one that is still being read. */
function usePackageReading() {
  const [state, setState] = useState<PackageState>({ state: 'none' });
  const hosts = useKnownHosts();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  /** The result; `superseded` when another choice has replaced the file, undefined when it is unreadable. */
  const read = async (file: File): Promise<PackageReading | 'superseded' | undefined> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setState({ state: 'reading', name: file.name });
    const reading = await readPackageFile(file, { hosts, signal }).catch(() => undefined);
    if (signal.aborted) return 'superseded';
    setState(
      reading ? { state: 'read', name: file.name, reading } : { state: 'unreadable', name: file.name },
    );
    return reading;
  };
  const clear = (): void => {
    running.current?.abort();
    setState({ state: 'none' });
  };
  return { state, read, clear };
}

async function isSameFile(a: File, b: File): Promise<boolean> {
  if (a.size !== b.size) return false;
  const [left, right] = await Promise.all([a.arrayBuffer(), b.arrayBuffer()]);
  const other = new Uint8Array(right);
  return new Uint8Array(left).every((byte, index) => byte === other[index]);
}
