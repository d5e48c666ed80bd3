import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Language } from '../../../shared/languages.ts';
import { textFindings } from '../../../shared/package/listing-rules.ts';
import { isAt, type Problem } from './sending/problem.ts';
import type { PublishValues, TextsName } from './values/publish-values.ts';

export type SayFinding = (finding: Pick<Problem, 'code' | 'message' | 'params'>) => string;

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

/** What is wrong with the form: as it was found when it was sent, and texts over their limits at any time. */
export function useProblems(values: PublishValues, language: Language, say: SayFinding) {
  const t = useTranslations('publish');
  const [found, setProblems] = useState<readonly Problem[]>([]);
  const problems = [...found.filter(({ code }) => code !== 'TEXT_TOO_LONG'), ...textFindings(values)];

  const report = (pointer: string, problem: Problem | undefined): void =>
    setProblems((before) => [...before.filter((one) => !isAt(one, pointer)), ...(problem ? [problem] : [])]);
  const textOf = (problem: Problem): string => {
    const field = NEEDED.find(
      (name) => problem.pointer === `/${name}` || problem.pointer.startsWith(`/${name}/`),
    );
    return problem.code === 'FIELD_REQUIRED' && field ? t(`need_${field}`) : say(problem);
  };
  const problemAt = (pointer: string): string | undefined => {
    const problem = problems.find((one) => isAt(one, pointer));
    return problem && textOf(problem);
  };
  const textProblem = (name: TextsName): string | undefined => {
    const pointers = [`/${name}`, `/${name}/${language}`];
    const problem = problems.find(({ pointer }) => pointers.includes(pointer));
    return problem && textOf(problem);
  };
  return { problems, setProblems, report, problemAt, textProblem };
}
