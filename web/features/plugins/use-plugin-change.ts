import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { isUnauthenticated } from '../../api/api-error.ts';
import { useToast } from '../../ui/toast/toast-context.ts';
import { meantChange } from './meant-change.ts';
import { changePlugin, holdAnswers, stateOf } from './plugin-cache.ts';
import { CHANGE_TOASTS, PLUGIN_CHANGES, type PluginChangeName } from './plugin-changes.ts';
import { pluginQuery } from './plugin-queries.ts';
import type { ShownPlugin } from './shown-plugin.ts';
import { useVisitor } from './visitor-context.ts';

/**
 * Likes, unlikes, installs and uninstalls a plugin: seen at once, undone when it fails, one after another per
 * plugin, said in a toast. Whoever is not signed in is led to sign-in, after which it is done (specification sections 4 and 8).
 */
export function usePluginChange(plugin: ShownPlugin): (name: PluginChangeName) => void {
  const { plugin_key } = plugin;
  const client = useQueryClient();
  const showToast = useToast();
  const t = useTranslations('toast');
  const { signedIn, startSignIn } = useVisitor();
  const mutationKey = ['plugin', plugin_key];
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: `plugin ${plugin_key}` },
    mutationFn: (name: PluginChangeName) => PLUGIN_CHANGES[name].send(plugin_key),
    onMutate: async (name) => {
      await holdAnswers(client);
      const before = stateOf(plugin);
      changePlugin(client, plugin_key, PLUGIN_CHANGES[name].expect);
      return before;
    },
    onSuccess: (state, name) => {
      const isLast = client.isMutating({ mutationKey }) === 1;
      if (isLast) changePlugin(client, plugin_key, () => stateOf(state));
      showToast({ kind: 'success', text: t(CHANGE_TOASTS[name].done) });
    },
    onError: (error, name, before) => {
      if (before) changePlugin(client, plugin_key, () => before);
      if (isUnauthenticated(error)) startSignIn(meantChange(name, plugin_key));
      else showToast({ kind: 'failure', text: t(CHANGE_TOASTS[name].failed) });
    },
    onSettled: () => client.invalidateQueries({ queryKey: pluginQuery(plugin_key).queryKey }),
  });
  return (name) => (signedIn === false ? startSignIn(meantChange(name, plugin_key)) : mutate(name));
}
