import { useRef, useState } from 'react';
import type { VersionKind } from '../../../shared/entities/review.ts';
import type { Language } from '../../../shared/languages.ts';
import type { ReadPackage } from '../../../shared/package/package.ts';
import type { NamedTag } from '../../../shared/tags.ts';
import {
  type Difference,
  type Filled,
  filledFields,
  valueAt,
  type WithPackage,
  withPackage,
  withPlace,
} from './values/package-values.ts';
import type { PublishValues, TextsName, ValueName } from './values/publish-values.ts';
import { isSame } from './values/same.ts';
import { suggestedVersion } from './values/suggested-version.ts';
import { withText } from './values/texts.ts';

type Facts = {
  initial: PublishValues;
  /** What a package had filled in of them, as a draft has kept it. */
  initialFilled: readonly Filled[];
  /** The greatest version number there ever was. */
  lastVersion: string | undefined;
  onChanged: (name: ValueName) => void;
};

/** The fields of the form. A version number nobody has typed follows the kind of the version. */
export function useValues({ initial, initialFilled, lastVersion, onChanged }: Facts) {
  const [state, setState] = useState<WithPackage>({
    values: initial,
    filled: [...initialFilled],
    differences: [],
  });
  /** The fields as they are now, also for what began when they were others. */
  const latest = useRef(state);
  const change = (update: (before: WithPackage) => WithPackage): void => {
    latest.current = update(latest.current);
    setState(latest.current);
  };
  const [language, setLanguage] = useState<Language>(initial.default_lang);
  const { values, filled } = state;
  const suggested = suggestedVersion(lastVersion, values.version_kind);
  const isVersionFree = values.version === suggested || values.version === '';
  /** Those that nobody has decided: a field that was written in since is decided. */
  const differences = state.differences.filter((one) => isSame(valueAt(values, one), one.mine));

  const setValues = (update: (before: PublishValues) => PublishValues): void =>
    change((before) => ({ ...before, values: update(before.values) }));
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
  /** Begins with other values; what a package had filled in of them may be known. */
  const replaceValues = (next: PublishValues, nextFilled: readonly Filled[] = []): void =>
    change(() => ({ values: next, filled: [...nextFilled], differences: [] }));
  /**
   * Takes over what a package says; without one, what came from the one before goes. `since` is what stood there when
   * reading it began: what was changed meanwhile is as if typed, and the language on screen stays.
   */
  const takePackage = (
    read: ReadPackage | undefined,
    knownTags: readonly NamedTag[],
    since?: { values: PublishValues; language: Language },
  ): void => {
    const before = latest.current;
    const kind = before.values.version_kind;
    const facts = { knownTags, suggestedVersion: suggestedVersion(lastVersion, kind), since: since?.values };
    const taken = withPackage(before, read, facts);
    change(() => taken);
    const isCalm = since === undefined || isSame(before.values, since.values);
    if (isCalm && taken.values.default_lang !== before.values.default_lang)
      setLanguage((now) => (since && now !== since.language ? now : taken.values.default_lang));
    for (const name of filledFields(taken.values, taken.filled)) onChanged(name);
  };
  /** Decides one difference. */
  const decide = (difference: Difference, whose: 'mine' | 'packaged'): void => {
    const { mine, packaged, ...place } = difference;
    const isThis = (one: Difference): boolean => one.field === place.field && one.language === place.language;
    change((before) => ({
      differences: before.differences.filter((one) => !isThis(one)),
      filled:
        whose === 'mine' ? before.filled : [...before.filled, { ...place, before: mine, value: packaged }],
      values: whose === 'mine' ? before.values : withPlace(before.values, place, packaged),
    }));
    onChanged(place.field);
  };
  return {
    values,
    filled,
    prefilled: filledFields(values, filled),
    differences,
    decide,
    setValues,
    setValue,
    setKind,
    setText,
    replaceValues,
    takePackage,
    language,
    setLanguage,
    suggested,
  };
}
