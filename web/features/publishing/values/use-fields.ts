import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { VersionKind } from '../../../../shared/entities/review.ts';
import type { Language } from '../../../../shared/languages.ts';
import { textFindings } from '../../../../shared/package/listing-rules.ts';
import type { ReadPackage } from '../../../../shared/package/package.ts';
import type { NamedTag } from '../../../../shared/tags.ts';
import { useFindingText } from '../../findings/index.ts';
import { isAt, type Problem } from '../sending/problems.ts';
import {
  type Difference,
  type Filled,
  filledFields,
  valueAt,
  type WithPackage,
  withPackage,
  withPlace,
} from './package-values.ts';
import {
  isSame,
  type PublishValues,
  suggestedVersion,
  type TextsName,
  type ValueName,
  withText,
} from './values.ts';

type FieldsState = WithPackage & {
  /** The language whose texts are on screen. */
  language: Language;
  /** What was found wrong when the form was sent or a file was chosen. */
  reported: readonly Problem[];
};

type Facts = {
  initial: PublishValues;
  /** What a package had filled in of them, as a draft has kept it. */
  initialFilled?: readonly Filled[];
  /** The greatest version number there ever was. */
  lastVersion: string | undefined;
};

/**
 * The fields of the form, what a package says of them, and what is wrong with them: each problem goes when its field is
 * changed. A version number nobody has typed follows the kind of the version. Every change is made on the latest state,
 * so that what began earlier, such as reading a package, overwrites nothing.
 */
export function useFields({ initial, initialFilled = [], lastVersion }: Facts) {
  const [state, setState] = useState<FieldsState>({
    values: initial,
    filled: [...initialFilled],
    differences: [],
    language: initial.default_lang,
    reported: [],
  });
  const { values, filled, language } = state;
  const suggested = suggestedVersion(lastVersion, values.version_kind);
  /** A text over its limit is a problem at any time. */
  const problems = [
    ...state.reported.filter(({ code }) => code !== 'TEXT_TOO_LONG'),
    ...textFindings(values),
  ];
  const textOf = useProblemText();
  const textAt = (isThere: (problem: Problem) => boolean): string | undefined => {
    const problem = problems.find(isThere);
    return problem && textOf(problem);
  };

  const change = (update: (now: FieldsState) => Partial<FieldsState>): void =>
    setState((now) => ({ ...now, ...update(now) }));
  const setValues = (update: (now: PublishValues) => PublishValues): void =>
    change((now) => ({ values: update(now.values) }));
  const setValue = <N extends ValueName>(name: N, value: PublishValues[N]): void =>
    change((now) => ({
      values: { ...now.values, [name]: value },
      reported: without(now.reported, `/${name}`),
    }));
  const setKind = (kind: VersionKind, isNumbered: boolean): void => {
    const isVersionFree = values.version === suggested || values.version === '';
    setValue('version_kind', kind);
    if (isNumbered && isVersionFree) setValue('version', suggestedVersion(lastVersion, kind));
  };
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
  ): void =>
    change((now) => {
      const kind = now.values.version_kind;
      const facts = {
        knownTags,
        suggestedVersion: suggestedVersion(lastVersion, kind),
        since: since?.values,
      };
      const taken = withPackage(now, read, facts);
      const isAsBefore = !since || (isSame(now.values, since.values) && now.language === since.language);
      const { default_lang } = taken.values;
      return {
        ...taken,
        language: isAsBefore && default_lang !== now.values.default_lang ? default_lang : now.language,
        reported: filledFields(taken.values, taken.filled).reduce(
          (rest, name) => without(rest, `/${name}`),
          now.reported,
        ),
      };
    });
  /** Decides one difference. */
  const decide = (difference: Difference, whose: 'mine' | 'packaged'): void => {
    const { mine, packaged, ...place } = difference;
    const isThis = (one: Difference): boolean => one.field === place.field && one.language === place.language;
    change((now) => ({
      differences: now.differences.filter((one) => !isThis(one)),
      reported: without(now.reported, `/${place.field}`),
      ...(whose === 'packaged' && {
        filled: [...now.filled, { ...place, before: mine, value: packaged }],
        values: withPlace(now.values, place, packaged),
      }),
    }));
  };
  return {
    values,
    setValues,
    setValue,
    setText: (name: TextsName, text: string): void => setValue(name, withText(values[name], language, text)),
    setKind,
    suggested,
    replaceValues,
    language,
    setLanguage: (next: Language): void => change(() => ({ language: next })),
    filled,
    prefilled: filledFields(values, filled),
    /** Those that nobody has decided: a field that was written in since is decided. */
    differences: state.differences.filter((one) => isSame(valueAt(values, one), one.mine)),
    decide,
    takePackage,
    problems,
    setProblems: (found: readonly Problem[]): void => change(() => ({ reported: found })),
    /** Sets what is wrong at a pointer, or that nothing is. */
    report: (pointer: string, problem: Problem | undefined): void =>
      change((now) => ({ reported: [...without(now.reported, pointer), ...(problem ? [problem] : [])] })),
    problemAt: (pointer: string) => textAt((one) => isAt(one, pointer)),
    /** What is wrong with a text in the language on screen, or with the text in all languages. */
    textProblem: (name: TextsName) =>
      textAt(({ pointer }) => pointer === `/${name}` || pointer === `/${name}/${language}`),
  };
}

export type Fields = ReturnType<typeof useFields>;

function without(problems: readonly Problem[], pointer: string): readonly Problem[] {
  return problems.filter((one) => !isAt(one, pointer));
}

/** Texts of the namespace `publish` that ask for a field in words of their own. */
const NEEDED = [
  'code',
  'name',
  'intro',
  'description',
  'contact',
  'version',
  'version_note',
  'copyright_holder',
] as const;

function useProblemText(): (problem: Problem) => string {
  const t = useTranslations('publish');
  const findingText = useFindingText();
  return (problem) => {
    const field = NEEDED.find((name) => isAt(problem, `/${name}`));
    return problem.code === 'FIELD_REQUIRED' && field ? t(`need_${field}`) : findingText(problem);
  };
}
