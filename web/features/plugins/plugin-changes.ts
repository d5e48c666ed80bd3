import type { useTranslations } from 'use-intl';
import { PRAISE_LIKE, PRAISE_UNLIKE } from '../../../shared/constants.ts';
import type { PluginState } from '../../../shared/entities/plugin.ts';
import { isApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { failureText } from '../../api/error-text.ts';
import type { ChangingState } from './plugin-cache.ts';

type PluginChange = {
  /**
   * Answers what the service tells of the plugin now.
   * @param seen version whose permissions the visitor has seen, where a page showed them
   */
  send: (pluginKey: string, seen?: string) => Promise<Partial<PluginState>>;
  /** What the visitor sees before the answer is there. */
  expect: (before: ChangingState) => ChangingState;
};

/** What a visitor may do with a plugin. */
export const PLUGIN_CHANGES = {
  like: {
    send: (plugin_key) => call('praisePlugin', { plugin_key, praise: PRAISE_LIKE }),
    expect: (before) => ({ ...before, is_praise: PRAISE_LIKE, praise_count: before.praise_count + 1 }),
  },
  unlike: {
    send: (plugin_key) => call('praisePlugin', { plugin_key, praise: PRAISE_UNLIKE }),
    expect: (before) => ({
      ...before,
      is_praise: PRAISE_UNLIKE,
      praise_count: Math.max(0, before.praise_count - 1),
    }),
  },
  install: {
    send: (plugin_key, version) =>
      call('installPlugin', { plugin_key, ...(version !== undefined && { version }) }),
    expect: (before) => ({ ...before, is_installed: true, install_count: before.install_count + 1 }),
  },
  uninstall: {
    send: (plugin_key) => call('uninstallPlugin', { plugin_key }),
    expect: (before) => ({
      ...before,
      is_installed: false,
      install_count: Math.max(0, before.install_count - 1),
    }),
  },
} as const satisfies Record<string, PluginChange>;

export type PluginChangeName = keyof typeof PLUGIN_CHANGES;

/** Keys of the messages in the namespace `toast` (specification section 8). */
export const CHANGE_TOASTS = {
  like: { done: 'liked', failed: 'like_failed' },
  unlike: { done: 'unliked', failed: 'unlike_failed' },
  install: { done: 'installed', failed: 'install_failed' },
  uninstall: { done: 'uninstalled', failed: 'uninstall_failed' },
} as const satisfies Record<PluginChangeName, { done: string; failed: string }>;

/** Why a change failed; a plugin that asks for more than its page showed is to be looked at again. */
export function changeFailure(
  t: ReturnType<typeof useTranslations<'toast'>>,
  name: PluginChangeName,
  error: unknown,
): string {
  if (name === 'install' && isApiError(error) && error.reason === 'CONFLICT') return t('install_changed');
  return failureText(t(CHANGE_TOASTS[name].failed), error);
}
