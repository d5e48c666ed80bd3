import { appError } from '../../http/errors.ts';
import type { Caller } from './caller.ts';

/**
 * Holds what a caller is about to publish against their publish token: one that is bound to a plugin is good for that
 * plugin alone, and makes no new ones. Whose plugin it is, is asked elsewhere, as of every caller.
 * @param pluginKey null for a new plugin
 * @throws FORBIDDEN
 */
export function holdToTokenScope({ token }: Caller, pluginKey: string | null): void {
  if (token && token.plugin_key !== null && token.plugin_key !== pluginKey) throw appError('FORBIDDEN');
}
