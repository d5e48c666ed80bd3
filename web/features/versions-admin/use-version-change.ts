import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, type DataFor } from '../../api/client.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { type VersionChange, versionsAfter } from './version-cache.ts';

/** Operations whose answers tell of a plugin's versions. */
const AFFECTED: readonly unknown[] = ['listVersions', 'readPlugin', 'listOwnPlugins', 'listPlugins'];

/**
 * Makes a version current, hides one or shows it again: seen at once, undone when it fails, one after another per
 * plugin (design section 5).
 */
export function useVersionChange(pluginKey: string) {
  const client = useQueryClient();
  const { queryKey } = queryOptionsOf('listVersions', { plugin_key: pluginKey });
  return useMutation({
    scope: { id: `versions ${pluginKey}` },
    mutationFn: (change: VersionChange) => call('changeVersion', { plugin_key: pluginKey, ...change }),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<DataFor<'listVersions'>>(queryKey);
      if (before) {
        client.setQueryData<DataFor<'listVersions'>>(queryKey, {
          version_list: versionsAfter(before.version_list, change),
        });
      }
      return before;
    },
    onError: (_error, _change, before) => {
      if (before) client.setQueryData(queryKey, before);
    },
    onSettled: () => client.invalidateQueries({ predicate: (query) => AFFECTED.includes(query.queryKey[0]) }),
  });
}
