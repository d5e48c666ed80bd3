import { useEffect, useRef } from 'react';
import type { Finding } from '../../../../shared/entities/finding.ts';
import { finding } from '../../../../shared/package/finding-codes.ts';
import { withoutKnownNames } from '../../../../shared/package/listing-rules.ts';
import type { PackageReading } from '../../../../shared/package/package.ts';
import type { NamedTag } from '../../../../shared/tags.ts';
import { readPackageFile, useKnownHosts } from '../../../features/packages/index.ts';
import { NO_PICTURE, type PictureChoice } from './files.ts';
import {
  changeFiles,
  type FormStore,
  iconDifferenceIn,
  type PackageState,
  report,
  takePackage,
} from './form-state.ts';
import type { Pictures } from './use-pictures.ts';

/** True when the package can't be published as it is. */
export function isBroken(state: PackageState): boolean {
  return state.state === 'unreadable' || (state.state === 'read' && errorsOf(state.reading).length > 0);
}

/** Errors that the form cannot mend: another name can be typed. */
function errorsOf({ findings }: PackageReading): Finding[] {
  return findings.filter(({ severity, code }) => severity === 'error' && code !== 'NAME_MARK');
}

/** The first error of a package that can't be published. */
export function packageErrorOf(state: PackageState): Finding | undefined {
  if (state.state === 'unreadable') return finding('FILE_UNREADABLE', { pointer: '/code' });
  if (state.state !== 'read') return undefined;
  return errorsOf(state.reading)[0];
}

type Options = FormStore & {
  pictures: Pictures;
  /** Names and codes of existing tags. */
  knownTags: readonly NamedTag[];
  urlOf: (file: File) => string;
};

/** Finding code of a file that isn't a package at all; it is discarded. */
const NOT_JSON = 'NOT_JSON';

/**
 * Changes the package of the form: it is read immediately and fills in fields that the user hasn't edited. Values of the
 * previous package are removed; a package with errors fills in nothing. A newer one replaces one that is being read.
 */
export function usePackage({ change, latest, pictures, knownTags, urlOf }: Options) {
  const hosts = useKnownHosts();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const packagedIcon = useRef<{ file: File; before: PictureChoice }>(undefined);
  /** The latest package; undefined without one. */
  const last = useRef<File>(undefined);
  const setPackage = (packageState: PackageState): void => change((now) => ({ ...now, packageState }));
  const setCode = (code: File | null): void =>
    change((now) => changeFiles(now, (files) => ({ ...files, code })));
  const setIcon = (icon: PictureChoice): void =>
    change((now) => changeFiles(now, (files) => ({ ...files, icon })));

  /** `since` is the icon when reading began: one that was removed since isn't restored. */
  const takeIcon = async (content: Uint8Array | null | undefined, since: PictureChoice): Promise<void> => {
    const code = last.current;
    const now = await pictures.awaitPicture('icon');
    if (last.current !== code) return;
    const file = content ? new File([new Uint8Array(content)], 'icon') : undefined;
    const packaged = packagedIcon.current;
    const isPackaged = now.state === 'chosen' && now.file === packaged?.file;
    const mine = isPackaged && packaged ? packaged.before : now;
    change((form) => ({ ...form, otherIcon: undefined }));
    packagedIcon.current = undefined;
    if (isPackaged) setIcon(mine);
    if (file && mine.state === 'none' && (isPackaged || now === since)) await showIcon(file, mine);
    else if (file && !(mine.state === 'chosen' && (await isSameFile(mine.file, file)))) {
      const otherIcon = { mine, file, url: urlOf(file) };
      change((form) => ({ ...form, otherIcon }));
    }
  };
  const showIcon = async (file: File, before: PictureChoice): Promise<void> => {
    packagedIcon.current = { file, before };
    await pictures.choosePicture('icon', file);
  };
  const decideIcon = (side: 'mine' | 'packaged'): void => {
    const difference = iconDifferenceIn(latest());
    change((form) => ({ ...form, otherIcon: undefined }));
    if (difference && side === 'packaged') void showIcon(difference.file, difference.mine);
  };
  const removeCode = (): void => {
    running.current?.abort();
    last.current = undefined;
    setPackage({ state: 'none' });
    setCode(null);
    change((now) => takePackage(now, undefined, knownTags));
    void takeIcon(undefined, NO_PICTURE);
  };
  const chooseCode = async (file: File): Promise<void> => {
    const { name } = file;
    const since = latest();
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    last.current = file;
    change((now) => report(now, 'code'));
    setPackage({ state: 'reading', name });
    const reading = await readPackageFile(file, { hosts, signal: controller.signal }).catch(() => undefined);
    if (controller.signal.aborted) return;
    const notJson = reading?.findings.find(({ code }) => code === NOT_JSON);
    if (notJson) {
      removeCode();
      return change((now) => report(now, 'code', { ...notJson, pointer: '/code' }));
    }
    const names = Object.values(since.original?.values.name ?? {});
    const shown = reading && { ...reading, findings: withoutKnownNames(reading, names) };
    setPackage(shown ? { state: 'read', name, reading: shown } : { state: 'unreadable', name });
    setCode(file);
    const found = reading && errorsOf(reading).length === 0 ? (reading.package ?? undefined) : undefined;
    change((now) => takePackage(now, found, knownTags, since));
    await takeIcon(found?.icon, since.files.icon);
  };
  return { chooseCode, removeCode, decideIcon };
}

async function isSameFile(a: File, b: File): Promise<boolean> {
  if (a.size !== b.size) return false;
  const [left, right] = await Promise.all([a.arrayBuffer(), b.arrayBuffer()]);
  const other = new Uint8Array(right);
  return new Uint8Array(left).every((byte, index) => byte === other[index]);
}
