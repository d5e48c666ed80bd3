import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query';
import type { PluginCard, PluginDetail, PluginPage, PluginState } from '../../../shared/entities/plugin.ts';
import type { DataFor } from '../../api/client.ts';
import { wholeFirstView } from '../../api/first-view.ts';
import { pluginQuery } from './plugin-queries.ts';

/** What a visitor changes of a plugin by liking and installing. */
export type ChangingState = Omit<PluginState, 'plugin_key'>;

type Change = (before: ChangingState) => ChangingState;

const OPERATIONS_WITH_PLUGINS: readonly unknown[] = ['listPlugins', 'listRecommended', 'readPlugin'];

/** Stops answers under way that would overwrite a change; a list that shows nothing yet goes on loading. */
export async function holdAnswers(client: QueryClient): Promise<void> {
  const predicate = ({ queryKey, state }: Query): boolean =>
    OPERATIONS_WITH_PLUGINS.includes(queryKey[0]) && state.data !== undefined;
  await wholeFirstView();
  await client.cancelQueries({ predicate });
}

/** Has everything that shows plugins read again. */
export function readPluginsAnew(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey }) => OPERATIONS_WITH_PLUGINS.includes(queryKey[0]),
  });
}

/** Changes a plugin wherever it is cached: in every page of every list, among the recommended, in full. */
export function changePlugin(client: QueryClient, pluginKey: string, change: Change): void {
  const inList = (plugins: PluginCard[]): PluginCard[] =>
    plugins.some((plugin) => plugin.plugin_key === pluginKey)
      ? plugins.map((plugin) =>
          plugin.plugin_key === pluginKey ? { ...plugin, ...change(stateOf(plugin)) } : plugin,
        )
      : plugins;
  client.setQueriesData<InfiniteData<PluginPage>>(
    { queryKey: ['listPlugins'] },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({ ...page, plugin_list: inList(page.plugin_list) })),
      },
  );
  client.setQueriesData<DataFor<'listRecommended'>>(
    { queryKey: ['listRecommended'] },
    (data) => data && { ...data, plugin_list: inList(data.plugin_list) },
  );
  client.setQueryData<PluginDetail>(
    pluginQuery(pluginKey).queryKey,
    (plugin) => plugin && { ...plugin, ...change(stateOf(plugin)) },
  );
}

export function stateOf({
  is_praise,
  is_installed,
  praise_count,
  install_count,
}: ChangingState): ChangingState {
  return { is_praise, is_installed, praise_count, install_count };
}
