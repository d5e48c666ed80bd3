import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useToast } from '../../ui/toast/toast-context.ts';
import { meantChange } from './meant-change.ts';
import type { PluginChangeName } from './plugin-changes.ts';
import type { ShownPlugin } from './shown-plugin.ts';
import { useVisitor } from './visitor-context.ts';

/** Fetches what changes a plugin, ahead of the first change. */
export const loadPluginChange = () => import('./plugin-change.ts');

/**
 * Likes, unlikes, installs and uninstalls a plugin (plugin-change.ts). Whoever is not signed in is led to sign-in, after
 * which it is done (specification sections 4 and 8).
 * @param seen version whose permissions the page shows
 */
export function usePluginChange(plugin: ShownPlugin, seen?: string): (name: PluginChangeName) => void {
  const client = useQueryClient();
  const showToast = useToast();
  const t = useTranslations('toast');
  const { signedIn, startSignIn } = useVisitor();
  return (name) => {
    if (signedIn === false) return startSignIn(meantChange({ name, pluginKey: plugin.plugin_key, seen }));
    loadPluginChange().then(
      ({ makePluginChange }) => makePluginChange({ client, showToast, t, startSignIn }, plugin, name, seen),
      () => showToast({ kind: 'failure', text: t(`${name}_failed`) }),
    );
  };
}
