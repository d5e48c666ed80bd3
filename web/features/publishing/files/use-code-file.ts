import { useState } from 'react';
import type { Tag } from '../../../../shared/entities/plugin.ts';
import type { PublishRules } from '../../../../shared/entities/review.ts';
import { isUsable } from '../../../../shared/package/finding-codes.ts';
import type { Problem } from '../sending/problem.ts';
import type { useValues } from '../use-values.ts';
import type { PictureChoice } from './picture-choice.ts';
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
  const [packagedIcon, setPackagedIcon] = useState<{ file: File; before: PictureChoice }>();
  const knownTags = rules?.tag_list ?? tags.map(({ code, name }) => ({ code, names: [name] }));
  const { icon } = files.files;
  const isIconPackaged = icon.state === 'chosen' && icon.file === packagedIcon?.file;
  /** One that was changed since is decided. */
  const iconDifference = otherIcon?.mine === icon ? otherIcon : undefined;

  const takeIcon = async (content: Uint8Array | null | undefined): Promise<void> => {
    const file = content ? new File([new Uint8Array(content)], 'icon') : undefined;
    const mine = isIconPackaged && packagedIcon ? packagedIcon.before : icon;
    setOtherIcon(undefined);
    setPackagedIcon(undefined);
    if (isIconPackaged) files.setFiles((others) => ({ ...others, icon: mine }));
    if (file && mine.state === 'none') await showIcon(file, mine);
    else if (file && !(mine.state === 'chosen' && (await isSameFile(mine.file, file))))
      setOtherIcon({ mine, file, url: urlOf(file) });
  };
  const showIcon = async (file: File, before: PictureChoice): Promise<void> => {
    setPackagedIcon({ file, before });
    await files.choosePicture('icon', file);
  };
  const decideIcon = (whose: 'mine' | 'packaged'): void => {
    setOtherIcon(undefined);
    if (iconDifference && whose === 'packaged') void showIcon(iconDifference.file, iconDifference.mine);
  };
  const removeCode = (): void => {
    clear();
    files.setCode(null);
    fields.takePackage(undefined, knownTags);
    void takeIcon(undefined);
  };
  const chooseCode = async (file: File): Promise<void> => {
    report('/code', undefined);
    const reading = await read(file);
    const refused = reading && notJson(reading);
    if (refused) {
      removeCode();
      return report('/code', { ...refused, pointer: '/code' });
    }
    files.setCode(file);
    const found = reading?.package && isUsable(reading.findings) ? reading.package : undefined;
    fields.takePackage(found, knownTags);
    await takeIcon(found?.icon);
  };
  return { packageState: state, chooseCode, removeCode, iconDifference, decideIcon };
}

async function isSameFile(a: File, b: File): Promise<boolean> {
  if (a.size !== b.size) return false;
  const [left, right] = await Promise.all([a.arrayBuffer(), b.arrayBuffer()]);
  const other = new Uint8Array(right);
  return new Uint8Array(left).every((byte, place) => byte === other[place]);
}
