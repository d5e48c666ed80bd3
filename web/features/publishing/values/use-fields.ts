import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { VersionKind } from '../../../../shared/entities/review.ts';
import type { Language } from '../../../../shared/languages.ts';
import { textFindings } from '../../../../shared/package/listing-rules.ts';
import type { ReadPackage } from '../../../../shared/package/package.ts';
import type { NamedTag } from '../../../../shared/tags.ts';
import { useFindingText, useParsingFailure } from '../../findings/index.ts';
import { isAt, type Problem } from '../sending/problems.ts';
import {
  type Difference,
  type Filled,
  filledFields,
  valueAt,
  type WithPackage,
  withPackage,
  withValueAt,
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
  /** The current language of translated fields. */
  language: Language;
  /** Problems found when the form was sent or a file was chosen. */
  reported: readonly Problem[];
};

type Options = {
  initial: PublishValues;
  /** The fields that a package filled in, from the draft. */
  initialFilled?: readonly Filled[];
  /** The highest version number so far. */
  lastVersion: string | undefined;
};

/**
 * The fields of the form, the package's values for them, and their problems: each problem is cleared when its field is
 * edited. A suggested version number follows the kind of the version. Every change applies to the latest state, so that
 * slow operations such as reading a package overwrite nothing.
 */
export function useFields({ initial, initialFilled = [], lastVersion }: Options) {
  const [state, setState] = useState<FieldsState>({
    values: initial,
    filled: [...initialFilled],
    differences: [],
    language: initial.default_lang,
    reported: [],
  });
  const { values, filled, language } = state;
  const suggested = suggestedVersion(lastVersion, values.version_kind);
  /** A text over its limit is always a problem. */
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
  /** Resets the form to other values, with the fields that a package filled in. */
  const replaceValues = (next: PublishValues, nextFilled: readonly Filled[] = []): void =>
    change(() => ({ values: next, filled: [...nextFilled], differences: [] }));
  /**
   * Applies a package's values; without a package, removes those of the previous one. `since` is the content when
   * reading began: later edits count as the user's input, and the current language stays.
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
  const decide = (difference: Difference, side: 'mine' | 'packaged'): void => {
    const { mine, packaged, ...path } = difference;
    const isThis = (one: Difference): boolean => one.field === path.field && one.language === path.language;
    change((now) => ({
      differences: now.differences.filter((one) => !isThis(one)),
      reported: without(now.reported, `/${path.field}`),
      ...(side === 'packaged' && {
        filled: [...now.filled, { ...path, before: mine, value: packaged }],
        values: withValueAt(now.values, path, packaged),
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
    /** Unresolved differences: editing a field resolves it. */
    differences: state.differences.filter((one) => isSame(valueAt(values, one), one.mine)),
    decide,
    takePackage,
    problems,
    setProblems: (found: readonly Problem[]): void => change(() => ({ reported: found })),
    /** Sets or clears the problem at a pointer. */
    report: (pointer: string, problem: Problem | undefined): void =>
      change((now) => ({ reported: [...without(now.reported, pointer), ...(problem ? [problem] : [])] })),
    problemAt: (pointer: string) => textAt((one) => isAt(one, pointer)),
    /** The problem of a text in the current language, or in all languages. */
    textProblem: (name: TextsName) =>
      textAt(({ pointer }) => pointer === `/${name}` || pointer === `/${name}/${language}`),
  };
}

export type Fields = ReturnType<typeof useFields>;

function without(problems: readonly Problem[], pointer: string): readonly Problem[] {
  return problems.filter((one) => !isAt(one, pointer));
}

/** Texts of the namespace `publish` that ask for a specific field. */
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
  const parsingFailure = useParsingFailure();
  return (problem) => {
    if (problem.code === 'NOT_A_PLUGIN') return parsingFailure(problem.reason ? [problem.reason] : []);
    const field = NEEDED.find((name) => isAt(problem, `/${name}`));
    return problem.code === 'FIELD_REQUIRED' && field ? t(`need_${field}`) : findingText(problem);
  };
}
