import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import type { DataFor } from '../../api/client.ts';
import { useOperation } from '../../api/use-operation.ts';
import { withoutPlugin } from './own-cache.ts';
import { ownPluginsQuery } from './own-plugins-queries.ts';

/** Deletes one of the viewer's plugins and refetches every list that may have shown it. */
export function useDeletePlugin(pluginKey: string, texts: { done: string; failed: string }) {
  const client = useQueryClient();
  return useOperation('deletePlugin', () => ({ plugin_key: pluginKey }), {
    ...texts,
    onSuccess: () => {
      client.setQueryData<InfiniteData<DataFor<'listOwnPlugins'>>>(
        ownPluginsQuery().queryKey,
        (data) => data && withoutPlugin(data, pluginKey),
      );
    },
  });
}
