import { type FormEvent, type RefObject, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { AUDIT_REFUSED } from '../../../../../shared/constants.ts';
import type { EditablePlugin } from '../../../../../shared/entities/review.ts';
import { isLanguage } from '../../../../../shared/languages.ts';
import { isUnauthenticated } from '../../../../api/api-error.ts';
import type { Payload } from '../../../../api/call.ts';
import { isCancelled } from '../../../../api/call.ts';
import { upload } from '../../../../api/upload.ts';
import { useOperationBy } from '../../../../api/use-operation.ts';
import { isVersionFixed, type Sending } from '../form-state.ts';
import { packagedFields } from '../package-values.ts';
import { focusField } from '../sections/section.tsx';
import type { PublishForm } from '../use-form.ts';
import { isBroken, packageErrorOf } from '../use-package.ts';
import { type Problem, problemsOf } from './problems.ts';
import { isUnchanged, publishPayload } from './publish-payload.ts';
import { submitErrorOf } from './submit-error.ts';

/**
 * Validates and sends the form with progress; can be cancelled. The first field with a problem, found here or by the
 * service, gets focus.
 */
export function useSubmission(form: PublishForm, element: RefObject<HTMLFormElement | null>) {
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const { state, change } = form;
  const { values, plugin, packageState } = state;
  const setSending = (sending: Sending): void => change((now) => ({ ...now, sending }));

  const showProblems = (next: Sending, problems: readonly Problem[]): void => {
    const [first] = problems;
    if (!first) {
      setSending(next);
      return;
    }
    const [, , language = values.default_lang] = first.pointer.split('/');
    // Wait until the fields are rendered again, in the right language.
    flushSync(() =>
      change((now) => ({
        ...now,
        sending: next,
        reported: problems,
        ...(isLanguage(language) && { language }),
      })),
    );
    focusField(element.current, first.pointer);
  };
  const send = (payload: Payload) => {
    const controller = new AbortController();
    running.current = controller;
    setSending({ state: 'sending', sent: 0, total: 0 });
    const options = {
      signal: controller.signal,
      onProgress: (sent: number, total: number) => setSending({ state: 'sending', sent, total }),
    };
    return plugin
      ? upload('updatePlugin', { ...idOf(plugin), ...payload }, options)
      : upload('publishPlugin', payload, options);
  };
  const { mutate } = useOperationBy(plugin ? 'updatePlugin' : 'publishPlugin', send, {
    keepsDataOnError: true,
    onSuccess: (result) =>
      setSending(isCancelled(result) ? { state: 'cancelled' } : { state: 'done', result }),
    onError: (error) => {
      // The page's gate asks for a sign-in.
      if (isUnauthenticated(error)) return setSending({ state: 'idle' });
      if (error.reason === 'CONFLICT') return setSending({ state: 'conflict' });
      const submitError = submitErrorOf(error);
      showProblems({ state: 'refused', submitError, at: Date.now() }, submitError.problems);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = packageState.state === 'read' ? packageState.reading.package : null;
    const content = {
      ...state,
      packaged: read ? packagedFields(read) : [],
      hasIcon: (read?.icon ?? null) !== null,
    };
    const problems = problemsOf({
      ...content,
      lastVersion: plugin?.last_version,
      isVersionFixed: isVersionFixed(state),
      isPackageBroken: isBroken(packageState),
      packageError: packageErrorOf(packageState),
    });
    if (problems.length > 0) showProblems({ state: 'incomplete' }, problems);
    else if (isUnchanged(content) && plugin?.audit_status !== AUDIT_REFUSED)
      setSending({ state: 'unchanged' });
    else mutate(publishPayload(content));
  };
  return {
    submit,
    cancel: () => running.current?.abort(),
    reset: () => setSending({ state: 'idle' }),
  };
}

function idOf({ plugin_key, submission_id }: EditablePlugin) {
  return { plugin_key, based_on: submission_id };
}
