import { useState } from 'react';
import type { VersionKind } from '../../../shared/entities/review.ts';
import type { Language } from '../../../shared/languages.ts';
import type { PublishValues, TextsName, ValueName } from './values/publish-values.ts';
import { suggestedVersion } from './values/suggested-version.ts';
import { withText } from './values/texts.ts';

type Facts = {
  initial: PublishValues;
  /** The greatest version number there ever was. */
  lastVersion: string | undefined;
  onChanged: (name: ValueName) => void;
};

/** The fields of the form. A version number nobody has typed follows the kind of the version. */
export function useValues({ initial, lastVersion, onChanged }: Facts) {
  const [values, setValues] = useState(initial);
  const [language, setLanguage] = useState<Language>(initial.default_lang);
  const suggested = suggestedVersion(lastVersion, values.version_kind);
  const isVersionFree = values.version === suggested || values.version === '';

  const setValue = <N extends ValueName>(name: N, value: PublishValues[N]): void => {
    setValues((before) => ({ ...before, [name]: value }));
    onChanged(name);
  };
  const setKind = (kind: VersionKind, isNumbered: boolean): void => {
    setValue('version_kind', kind);
    if (isNumbered && isVersionFree) setValue('version', suggestedVersion(lastVersion, kind));
  };
  const setText = (name: TextsName, text: string): void =>
    setValue(name, withText(values[name], language, text));
  return { values, setValues, setValue, setKind, setText, language, setLanguage, suggested, isVersionFree };
}
