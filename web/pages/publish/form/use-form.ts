import { createContext, useContext, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Tag } from '../../../../shared/entities/plugin.ts';
import type { PublishRules } from '../../../../shared/entities/review.ts';
import { useFindingText, useParsingFailure } from '../../../features/findings/index.ts';
import { type FormState, type FormStore, problemsIn, switchVersion } from './form-state.ts';
import { knownTagsOf } from './package-values.ts';
import { isAt, type Problem } from './sending/problems.ts';
import { usePackage } from './use-package.ts';
import { usePictures } from './use-pictures.ts';
import type { TextsName } from './values.ts';

type Options = {
  /** The initial state. */
  start: () => FormState;
  rules: PublishRules | undefined;
  tags: readonly Tag[];
  /** Creates object URLs of chosen files. */
  urlOf: (file: File) => string;
};

/** The form for one plugin: its state, how it changes, and the texts of its problems. */
export function usePublishForm({ start, rules, tags, urlOf }: Options) {
  const [state, setState] = useState(start);
  const current = useRef(state);
  const store: FormStore = {
    change: (update) => {
      current.current = update(current.current);
      setState(current.current);
    },
    latest: () => current.current,
  };
  const pictures = usePictures(store, urlOf);
  const code = usePackage({ ...store, pictures, knownTags: knownTagsOf(rules, tags), urlOf });
  const problems = problemsIn(state);
  const textOf = useProblemText();
  const textAt = (isThere: (problem: Problem) => boolean): string | undefined => {
    const problem = problems.find(isThere);
    return problem && textOf(problem);
  };
  return {
    ...store,
    ...pictures,
    ...code,
    setIncludesVersion: (brings: boolean): void => {
      if (!brings) code.removeCode();
      store.change((now) => switchVersion(now, brings));
    },
    state,
    rules,
    tags,
    problems,
    problemAt: (pointer: string) => textAt((one) => isAt(one, pointer)),
    /** The problem of a text in the current language, or in all languages. */
    textProblem: (name: TextsName) =>
      textAt(({ pointer }) => pointer === `/${name}` || pointer === `/${name}/${state.language}`),
  };
}

export type PublishForm = ReturnType<typeof usePublishForm>;

/** Provides the form to its sections: of one plugin, or of one in a batch. */
export const FormContext = createContext<PublishForm | undefined>(undefined);

export function useForm(): PublishForm {
  const form = useContext(FormContext);
  if (!form) throw new Error('FormContext is missing above this component.');
  return form;
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
