import type { InfiniteData } from '@tanstack/react-query';
import type { DataFor } from '../../api/client.ts';

type OwnPages = InfiniteData<DataFor<'listOwnPlugins'>>;

export function withoutPlugin(data: OwnPages, pluginKey: string): OwnPages {
  const isOther = ({ plugin }: { plugin: { plugin_key: string } }): boolean =>
    plugin.plugin_key !== pluginKey;
  return {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      total: Math.max(0, page.total - 1),
      plugin_list: page.plugin_list.filter(isOther),
    })),
  };
}
