import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';

const SHOWN_ELSEWHERE: readonly unknown[] = ['listPlugins', 'listRecommended', 'readPlugin'];

/**
 * Uninstalls a plugin and installs it again: seen at once, undone when it fails. The list keeps its place for it until
 * it is read anew, so that a slip is undone where it happened.
 */
export function useInstallation(pluginKey: string) {
  const client = useQueryClient();
  const [isInstalled, setInstalled] = useState(true);
  const { mutate, isPending } = useMutation({
    scope: { id: `plugin ${pluginKey}` },
    mutationFn: (install: boolean) =>
      call(install ? 'installPlugin' : 'uninstallPlugin', { plugin_key: pluginKey }),
    onMutate: setInstalled,
    onError: (_error, install) => setInstalled(!install),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: ['listInstalled'], refetchType: 'none' });
      await client.invalidateQueries({ predicate: ({ queryKey }) => SHOWN_ELSEWHERE.includes(queryKey[0]) });
    },
  });
  return { isInstalled, isPending, change: mutate };
}
