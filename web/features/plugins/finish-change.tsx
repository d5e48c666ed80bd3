import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useToast } from '../../ui/toast/toast-context.ts';
import type { MeantChange } from './meant-change.ts';
import { changePlugin, holdAnswers, readPluginsAnew, stateOf } from './plugin-cache.ts';
import { CHANGE_TOASTS, changeFailure, PLUGIN_CHANGES } from './plugin-changes.ts';
import { readMeantChange } from './read-meant-change.ts';

/**
 * Does, once somebody has signed in, what he wanted to do before (specification section 6). `take` hands that out once.
 * What is done already stays as it is: each change is harmless when repeated.
 */
export function FinishChange({ take }: { take: () => string | undefined }) {
  const client = useQueryClient();
  const showToast = useToast();
  const t = useTranslations('toast');
  const { mutate } = useMutation({
    mutationFn: ({ name, pluginKey, seen }: MeantChange) => PLUGIN_CHANGES[name].send(pluginKey, seen),
    onSuccess: async (state, { name, pluginKey }) => {
      await holdAnswers(client);
      changePlugin(client, pluginKey, () => stateOf(state));
      showToast({ kind: 'success', text: t(CHANGE_TOASTS[name].done) });
    },
    onError: (error, { name }) => showToast({ kind: 'failure', text: changeFailure(t, name, error) }),
    onSettled: () => readPluginsAnew(client),
  });
  const finish = useEffectEvent(() => {
    const meant = readMeantChange(take() ?? '');
    if (meant) mutate(meant);
  });
  useEffect(() => finish(), []);
  return null;
}
