import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { AUDIT_REFUSED } from '../../../../shared/constants.ts';
import type { PublishResult } from '../../../../shared/entities/review.ts';
import { isLanguage } from '../../../../shared/languages.ts';
import { invalidateAfter } from '../../../api/affected-queries.ts';
import { isApiError, isUnauthenticated } from '../../../api/api-error.ts';
import type { Payload } from '../../../api/call.ts';
import { isCancelled } from '../../../api/call.ts';
import { upload } from '../../../api/upload.ts';
import { isBroken, packageErrorOf } from '../files/use-package.ts';
import { focusField } from '../sections/section.tsx';
import type { PublishForm } from '../use-publish-form.ts';
import { packagedFields } from '../values/package-values.ts';
import { type Problem, problemsOf } from './problems.ts';
import { isUnchanged, publishPayload } from './publish-payload.ts';
import { type SubmitError, submitErrorOf } from './submit-error.ts';

export type Sending =
  /** `incomplete`: not sent because of problems; `unchanged`: nothing to send. */
  | { state: 'idle' | 'incomplete' | 'unchanged' | 'cancelled' | 'conflict' }
  /** Bytes; `total` is 0 until the browser knows it. */
  | { state: 'sending'; sent: number; total: number }
  /** `at`: milliseconds since 1970. */
  | { state: 'refused'; submitError: SubmitError; at: number }
  | { state: 'done'; result: PublishResult };

/**
 * Validates and sends the form with progress; can be cancelled. The first field with a problem, found here or by the
 * service, gets focus.
 */
export function useSubmission(form: PublishForm, element: RefObject<HTMLFormElement | null>) {
  const client = useQueryClient();
  const [sending, setSending] = useState<Sending>({ state: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const { fields, original, settings } = form;
  const { values } = fields;
  const { plugin, includesVersion, isVersionFixed } = settings;

  const showProblems = (next: Sending, problems: readonly Problem[]): void => {
    const [first] = problems;
    if (!first) {
      setSending(next);
      return;
    }
    const [, , language = values.default_lang] = first.pointer.split('/');
    // Wait until the fields are rendered again, in the right language.
    flushSync(() => {
      setSending(next);
      fields.setProblems(problems);
      if (isLanguage(language)) fields.setLanguage(language);
    });
    focusField(element.current, first.pointer);
  };
  const send = async (payload: Payload): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setSending({ state: 'sending', sent: 0, total: 0 });
    const options = {
      signal: controller.signal,
      onProgress: (sent: number, total: number) => setSending({ state: 'sending', sent, total }),
    };
    try {
      const result = plugin
        ? await upload('updatePlugin', { ...idOf(plugin), ...payload }, options)
        : await upload('publishPlugin', payload, options);
      if (isCancelled(result)) return setSending({ state: 'cancelled' });
      setSending({ state: 'done', result });
      form.markSent();
      void invalidateAfter(client, 'publishPlugin');
    } catch (error) {
      if (!isApiError(error)) throw error;
      // The page's gate asks for a sign-in.
      if (isUnauthenticated(error)) return setSending({ state: 'idle' });
      if (error.reason === 'CONFLICT') return setSending({ state: 'conflict' });
      const submitError = submitErrorOf(error);
      showProblems({ state: 'refused', submitError, at: Date.now() }, submitError.problems);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { state: packageState } = form.code;
    const read = packageState.state === 'read' ? packageState.reading.package : null;
    const state = {
      values,
      files: form.choices.files,
      original,
      includesVersion,
      packaged: read ? packagedFields(read) : [],
      hasIcon: (read?.icon ?? null) !== null,
    };
    const lastVersion = plugin?.last_version;
    const problems = problemsOf({
      ...state,
      lastVersion,
      isVersionFixed,
      isPackageBroken: isBroken(packageState),
      packageError: packageErrorOf(packageState),
    });
    if (problems.length > 0) showProblems({ state: 'incomplete' }, problems);
    else if (isUnchanged(state) && plugin?.audit_status !== AUDIT_REFUSED) setSending({ state: 'unchanged' });
    else void send(publishPayload(state));
  };
  return {
    sending,
    submit,
    cancel: () => running.current?.abort(),
    reset: () => setSending({ state: 'idle' }),
  };
}

function idOf({ plugin_key, submission_id }: NonNullable<PublishForm['settings']['plugin']>) {
  return { plugin_key, based_on: submission_id };
}
