import type { Answered } from '../shared/boot.ts';
import type { Operation } from '../shared/contract.ts';
import { type ShownPlugin, shownPlugin } from './features/plugins/shown-plugin.ts';

/** Lists of which pages show nothing but cards and tiles. */
const LISTS: readonly Operation[] = ['listPlugins', 'listRecommended'];

/** The answers as the document carries them: of plugins in lists only what is shown. */
export function leanAnswers(answered: readonly Answered[]): Answered[] {
  return answered.map((answer) =>
    answer.ok && LISTS.includes(answer.operation) && isList(answer.data)
      ? { ...answer, data: { ...answer.data, plugin_list: answer.data.plugin_list.map(shownPlugin) } }
      : answer,
  );
}

function isList(data: unknown): data is { plugin_list: ShownPlugin[] } {
  return (
    typeof data === 'object' && data !== null && 'plugin_list' in data && Array.isArray(data.plugin_list)
  );
}
