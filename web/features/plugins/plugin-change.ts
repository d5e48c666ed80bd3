import type { QueryClient } from '@tanstack/react-query';
import type { useTranslations } from 'use-intl';
import { isUnauthenticated } from '../../api/api-error.ts';
import type { ShowToast } from '../../ui/toast/toast-context.ts';
import { meantChange } from './meant-change.ts';
import { changePlugin, holdAnswers, stateOf } from './plugin-cache.ts';
import { CHANGE_TOASTS, changeFailure, PLUGIN_CHANGES, type PluginChangeName } from './plugin-changes.ts';
import { pluginQuery } from './plugin-queries.ts';
import type { ShownPlugin } from './shown-plugin.ts';

type Means = {
  client: QueryClient;
  showToast: ShowToast;
  t: ReturnType<typeof useTranslations<'toast'>>;
  startSignIn: (meant: string) => void;
};

/**
 * Changes a plugin: seen at once, undone when it fails, one after another per plugin, said in a toast; whoever turns out not
 * to be signed in is led to sign-in (specification sections 4 and 8).
 */
export async function makePluginChange(
  { client, showToast, t, startSignIn }: Means,
  plugin: ShownPlugin,
  name: PluginChangeName,
  seen?: string,
): Promise<void> {
  const { plugin_key } = plugin;
  const mutationKey = ['plugin', plugin_key];
  const options = client.defaultMutationOptions({
    mutationKey,
    scope: { id: `plugin ${plugin_key}` },
    mutationFn: () => PLUGIN_CHANGES[name].send(plugin_key, seen),
    onMutate: async () => {
      await holdAnswers(client);
      const before = stateOf(plugin);
      changePlugin(client, plugin_key, PLUGIN_CHANGES[name].expect);
      return before;
    },
    onSuccess: ({ plugin_key: _, ...told }) => {
      const isLast = client.isMutating({ mutationKey }) === 1;
      if (isLast) changePlugin(client, plugin_key, (expected) => ({ ...expected, ...told }));
      showToast({ kind: 'success', text: t(CHANGE_TOASTS[name].done) });
    },
    onError: (error, _nothing, before) => {
      if (before) changePlugin(client, plugin_key, () => before);
      if (isUnauthenticated(error)) startSignIn(meantChange({ name, pluginKey: plugin_key, seen }));
      else showToast({ kind: 'failure', text: changeFailure(t, name, error) });
    },
    onSettled: () => client.invalidateQueries({ queryKey: pluginQuery(plugin_key).queryKey }),
  });
  const mutation = client.getMutationCache().build(client, options);
  // What went wrong has been said.
  await mutation.execute(undefined).catch(() => undefined);
}
