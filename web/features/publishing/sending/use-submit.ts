import { type FormEvent, type RefObject, useState } from 'react';
import { flushSync } from 'react-dom';
import { AUDIT_REFUSED } from '../../../../shared/constants.ts';
import { isLanguage } from '../../../../shared/languages.ts';
import { focusField } from '../fields/focus-field.ts';
import { isBroken } from '../files/use-package.ts';
import type { PublishForm } from '../use-publish-form.ts';
import { packagedFields } from '../values/packaged-fields.ts';
import type { Problem } from './problem.ts';
import { problemsOf } from './problems.ts';
import { isUnchanged, publishPayload } from './publish-payload.ts';
import type { Refusal } from './refusal.ts';
import type { useSending } from './use-sending.ts';

/** Why nothing was sent: fields that are not as they should be, or nothing that was changed. */
export type Unsent = { reason: 'problems' } | { reason: 'unchanged' };

type Facts = {
  element: RefObject<HTMLFormElement | null>;
  form: PublishForm;
  send: ReturnType<typeof useSending>['send'];
};

/** Judges the form and sends it; the first field that is not as it should be gets the keyboard. */
export function useSubmit({ element, form, send }: Facts) {
  const [unsent, setUnsent] = useState<Unsent>();
  const { values, files, original, bringsVersion, isVersionFixed, plugin, packageState } = form;

  const showProblems = (problems: readonly Problem[]): void => {
    const [first] = problems;
    if (!first) return;
    const [, , language = values.default_lang] = first.pointer.split('/');
    flushSync(() => {
      form.setProblems(problems);
      if (isLanguage(language)) form.setLanguage(language);
    });
    focusField(element.current, first.pointer);
  };
  const showRefusal = ({ problems }: Refusal): void => showProblems(problems);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = packageState.state === 'read' ? packageState.reading.package : null;
    const packaged = read ? packagedFields(read) : [];
    const bringsIcon = (read?.icon ?? null) !== null;
    const state = { values, files: files.files, original, bringsVersion, packaged, bringsIcon };
    const lastVersion = plugin?.last_version;
    const found = problemsOf({
      ...state,
      lastVersion,
      isVersionFixed,
      isPackageBroken: isBroken(packageState),
    });
    if (found.length > 0) {
      setUnsent({ reason: 'problems' });
      showProblems(found);
    } else if (isUnchanged(state) && plugin?.audit_status !== AUDIT_REFUSED)
      setUnsent({ reason: 'unchanged' });
    else {
      setUnsent(undefined);
      const payload = publishPayload(state);
      if (!plugin) void send('publishPlugin', payload);
      else {
        const { plugin_key, submission_id } = plugin;
        void send('updatePlugin', { plugin_key, based_on: submission_id, ...payload });
      }
    }
  };
  return { unsent, submit, showRefusal };
}
