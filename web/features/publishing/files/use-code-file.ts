import { useRef, useState } from 'react';
import type { Tag } from '../../../../shared/entities/plugin.ts';
import type { PublishRules } from '../../../../shared/entities/review.ts';
import { isUsable } from '../../../../shared/package/finding-codes.ts';
import type { Problem } from '../sending/problem.ts';
import type { useValues } from '../use-values.ts';
import { NO_PICTURE, type PictureChoice } from './picture-choice.ts';
import { notJson, type ReadPackageFile, usePackage } from './use-package.ts';
import type { usePublishFiles } from './use-publish-files.ts';

type Facts = {
  tags: readonly Tag[];
  rules: PublishRules | undefined;
  fields: ReturnType<typeof useValues>;
  files: ReturnType<typeof usePublishFiles>;
  readPackage: ReadPackageFile;
  urlOf: (file: File) => string;
  report: (pointer: string, problem: Problem | undefined) => void;
};

/** A person has an icon and the package another; `url` shows the package's. */
export type IconDifference = { mine: PictureChoice; file: File; url: string };

/**
 * The package of the form: it is read as soon as it is chosen, and fills what nobody has written. What came from the one
 * before it goes; one with errors fills nothing.
 */
export function useCodeFile({ tags, rules, fields, files, readPackage, urlOf, report }: Facts) {
  const { state, read, clear } = usePackage(readPackage);
  const [otherIcon, setOtherIcon] = useState<IconDifference>();
  const packagedIcon = useRef<{ file: File; before: PictureChoice }>(undefined);
  /** The package that was chosen last; undefined while there is none. */
  const last = useRef<File>(undefined);
  const knownTags = rules?.tag_list ?? tags.map(({ code, name }) => ({ code, names: [name] }));
  const { icon } = files.files;
  /** One that was changed since is decided. */
  const iconDifference = otherIcon?.mine === icon ? otherIcon : undefined;

  /** `since` is the icon there was when reading began: one that was taken away since is not brought back. */
  const takeIcon = async (content: Uint8Array | null | undefined, since: PictureChoice): Promise<void> => {
    const code = last.current;
    const now = await files.settledPicture('icon');
    if (last.current !== code) return;
    const file = content ? new File([new Uint8Array(content)], 'icon') : undefined;
    const packaged = packagedIcon.current;
    const isPackaged = now.state === 'chosen' && now.file === packaged?.file;
    const mine = isPackaged && packaged ? packaged.before : now;
    setOtherIcon(undefined);
    packagedIcon.current = undefined;
    if (isPackaged) files.setFiles((others) => ({ ...others, icon: mine }));
    if (file && mine.state === 'none' && (isPackaged || now === since)) await showIcon(file, mine);
    else if (file && !(mine.state === 'chosen' && (await isSameFile(mine.file, file))))
      setOtherIcon({ mine, file, url: urlOf(file) });
  };
  const showIcon = async (file: File, before: PictureChoice): Promise<void> => {
    packagedIcon.current = { file, before };
    await files.choosePicture('icon', file);
  };
  const decideIcon = (whose: 'mine' | 'packaged'): void => {
    setOtherIcon(undefined);
    if (iconDifference && whose === 'packaged') void showIcon(iconDifference.file, iconDifference.mine);
  };
  const removeCode = (): void => {
    clear();
    last.current = undefined;
    files.setCode(null);
    fields.takePackage(undefined, knownTags);
    void takeIcon(undefined, NO_PICTURE);
  };
  const chooseCode = async (file: File): Promise<void> => {
    report('/code', undefined);
    last.current = file;
    const since = { values: fields.values, language: fields.language };
    const reading = await read(file);
    if (reading === 'superseded') return;
    const refused = reading && notJson(reading);
    if (refused) {
      removeCode();
      return report('/code', { ...refused, pointer: '/code' });
    }
    files.setCode(file);
    const found = reading?.package && isUsable(reading.findings) ? reading.package : undefined;
    fields.takePackage(found, knownTags, since);
    await takeIcon(found?.icon, icon);
  };
  return { packageState: state, chooseCode, removeCode, iconDifference, decideIcon };
}

async function isSameFile(a: File, b: File): Promise<boolean> {
  if (a.size !== b.size) return false;
  const [left, right] = await Promise.all([a.arrayBuffer(), b.arrayBuffer()]);
  const other = new Uint8Array(right);
  return new Uint8Array(left).every((byte, place) => byte === other[place]);
}
