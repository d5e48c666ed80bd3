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
  report: (pointer: string, problem: Problem | undefined) => void;
};

/**
 * The package of the form: it is read as soon as it is chosen, and fills what nobody has written. What came from the one
 * before it goes; one with errors fills nothing.
 */
export function useCodeFile({ tags, rules, fields, files, readPackage, report }: Facts) {
  const { state, read, clear } = usePackage(readPackage);
  const [packagedIcon, setPackagedIcon] = useState<{ file: File; before: PictureChoice }>();
  const knownTags = rules?.tag_list ?? tags.map(({ code, name }) => ({ code, names: [name] }));
  const { icon } = files.files;
  const isIconPackaged = icon.state === 'chosen' && icon.file === packagedIcon?.file;

  const takeIcon = async (content: Uint8Array | null | undefined): Promise<void> => {
    if (icon.state === 'chosen' && !isIconPackaged) return;
    const file = content ? new File([new Uint8Array(content)], 'icon') : undefined;
    const before = isIconPackaged && packagedIcon ? packagedIcon.before : icon;
    setPackagedIcon(file && { file, before });
    if (isIconPackaged) files.setFiles((others) => ({ ...others, icon: before }));
    if (file) await files.choosePicture('icon', file);
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
  return { packageState: state, chooseCode, removeCode };
}
