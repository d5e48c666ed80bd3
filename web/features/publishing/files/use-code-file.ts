import { useState } from 'react';
import type { Tag } from '../../../../shared/entities/plugin.ts';
import type { PublishRules } from '../../../../shared/entities/review.ts';
import type { Problem } from '../sending/problem.ts';
import type { useValues } from '../use-values.ts';
import { prefilled as prefilledValues } from '../values/prefill.ts';
import type { ValueName } from '../values/publish-values.ts';
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

/** The package of the form: it is read as soon as it is chosen, and fills what nobody has written yet. */
export function useCodeFile({ tags, rules, fields, files, readPackage, report }: Facts) {
  const { state, read, clear } = usePackage(readPackage);
  const [prefilled, setPrefilled] = useState<readonly ValueName[]>([]);

  const removeCode = (): void => {
    clear();
    files.setCode(null);
    setPrefilled([]);
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
    const found = reading?.package;
    if (!found) return setPrefilled([]);
    const knownTags = rules?.tag_list ?? tags.map(({ code, name }) => ({ code, names: [name] }));
    const facts = { knownTags, isVersionFree: fields.isVersionFree };
    const { values, filled } = prefilledValues(fields.values, found, facts);
    fields.setValues((before) => prefilledValues(before, found, facts).values);
    fields.setLanguage(values.default_lang);
    setPrefilled(filled);
    for (const name of filled) report(`/${name}`, undefined);
    if (found.icon && files.files.icon.state !== 'chosen')
      await files.choosePicture('icon', new File([new Uint8Array(found.icon)], 'icon'));
  };
  return { packageState: state, prefilled, chooseCode, removeCode };
}
