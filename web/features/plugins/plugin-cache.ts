import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query';
import type { PluginCard, PluginDetail, PluginPage, PluginState } from '../../../shared/entities/plugin.ts';
import { firstViewHydrated } from '../../api/first-view.ts';
import { invalidate } from '../../api/invalidate.ts';
import { pluginQuery } from './plugin-queries.ts';
import type { PluginSummary } from './plugin-summary.ts';

/** The fields of a plugin that likes and installs change. */
export type ChangingState = Omit<PluginState, 'plugin_key'>;

/** The fields of a page of the viewer's own lists that a change updates. */
type OwnPage = { plugin_list: { plugin: PluginCard }[] };

type Change = (before: ChangingState) => ChangingState;

/** The viewer's own lists, whose entries contain a plugin. */
const OWN_LISTS = ['listInstalled', 'listLiked'] as const;
/** Lists without pages. */
const SHORT_LISTS = ['listRecommended', 'listTrending', 'readTagPage', 'listSimilar'] as const;
const OPERATIONS_WITH_PLUGINS: readonly unknown[] = [
  'listPlugins',
  ...SHORT_LISTS,
  'readPlugin',
  ...OWN_LISTS,
];

/** Cancels running queries whose data would overwrite a change; a list without data keeps loading. */
export async function cancelPluginQueries(client: QueryClient): Promise<void> {
  const predicate = ({ queryKey, state }: Query): boolean =>
    OPERATIONS_WITH_PLUGINS.includes(queryKey[0]) && state.data !== undefined;
  await firstViewHydrated();
  await client.cancelQueries({ predicate });
}

/** Invalidates everything that shows plugins. */
export function invalidatePlugins(client: QueryClient): Promise<void> {
  return invalidate(client, {
    predicate: ({ queryKey }) => OPERATIONS_WITH_PLUGINS.includes(queryKey[0]),
  });
}

/** What a list of this visit knows of a plugin. */
export function knownPlugin(client: QueryClient, pluginKey: string): PluginSummary | undefined {
  const lists = client.getQueriesData<InfiniteData<{ plugin_list: PluginSummary[] }>>({
    queryKey: ['listPlugins'],
  });
  const own = OWN_LISTS.flatMap((list) =>
    client.getQueriesData<InfiniteData<{ plugin_list: { plugin: PluginSummary }[] }>>({ queryKey: [list] }),
  );
  const short = SHORT_LISTS.flatMap((list) =>
    client.getQueriesData<{ plugin_list: PluginSummary[] }>({ queryKey: [list] }),
  );
  const plugins = [
    ...short.flatMap(([, page]) => page?.plugin_list ?? []),
    ...lists.flatMap(([, data]) => data?.pages.flatMap((page) => page.plugin_list) ?? []),
    ...own.flatMap(
      ([, data]) => data?.pages.flatMap((page) => page.plugin_list.map(({ plugin }) => plugin)) ?? [],
    ),
  ];
  return plugins.find(({ plugin_key }) => plugin_key === pluginKey);
}

/**
 * Updates a plugin wherever it is cached: in every page of every list, the viewer's own and the recommended included,
 * and in full.
 */
export function changePlugin(client: QueryClient, pluginKey: string, change: Change): void {
  const changed = <P extends PluginCard>(plugin: P): P =>
    plugin.plugin_key === pluginKey ? withState(plugin, change(stateOf(plugin))) : plugin;
  const inList = (plugins: PluginCard[]): PluginCard[] =>
    plugins.some((plugin) => plugin.plugin_key === pluginKey) ? plugins.map(changed) : plugins;
  client.setQueriesData<InfiniteData<PluginPage>>(
    { queryKey: ['listPlugins'] },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({ ...page, plugin_list: inList(page.plugin_list) })),
      },
  );
  for (const list of SHORT_LISTS)
    client.setQueriesData<{ plugin_list: PluginCard[] }>(
      { queryKey: [list] },
      (data) => data && { ...data, plugin_list: inList(data.plugin_list) },
    );
  for (const list of OWN_LISTS)
    client.setQueriesData<InfiniteData<OwnPage>>(
      { queryKey: [list] },
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            plugin_list: page.plugin_list.map((item) => ({ ...item, plugin: changed(item.plugin) })),
          })),
        },
    );
  client.setQueryData<PluginDetail>(pluginQuery(pluginKey).queryKey, (plugin) => plugin && changed(plugin));
}

/** What is installed now has its newest version. */
function withState<P extends PluginCard>(plugin: P, state: ChangingState): P {
  const isNow = state.is_installed && !plugin.is_installed;
  return { ...plugin, ...state, ...(isNow && { is_updated: false }) };
}

export function stateOf({
  is_praise,
  is_installed,
  praise_count,
  install_count,
}: ChangingState): ChangingState {
  return { is_praise, is_installed, praise_count, install_count };
}
