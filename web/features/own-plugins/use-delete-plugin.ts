import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { call, type DataFor } from '../../api/client.ts';
import { withoutPlugin } from './own-cache.ts';
import { ownPluginsQuery } from './own-plugins-queries.ts';

/** Deletes one of the viewer's plugins and refetches every list that may have shown it. */
export function useDeletePlugin(pluginKey: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('deletePlugin', { plugin_key: pluginKey }),
    onSuccess: () => {
      client.setQueryData<InfiniteData<DataFor<'listOwnPlugins'>>>(
        ownPluginsQuery().queryKey,
        (data) => data && withoutPlugin(data, pluginKey),
      );
      void client.invalidateQueries({
        predicate: ({ queryKey }) => AFFECTED.includes(queryKey[0]),
        refetchType: 'active',
      });
    },
  });
}

const AFFECTED: readonly unknown[] = [
  'listOwnPlugins',
  'listInstalled',
  'listLiked',
  'listPlugins',
  'listRecommended',
  'readPlugin',
  'listPublishTokens',
];
