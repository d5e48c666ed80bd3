import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PRAISE_LIKE, PRAISE_UNLIKE } from '../../../shared/constants.ts';
import { call } from '../../api/client.ts';

const SHOWN_ELSEWHERE: readonly unknown[] = ['listPlugins', 'listRecommended', 'readPlugin'];

type ListChange = {
  list: 'listInstalled' | 'listLiked';
  /** Puts the plugin on the list, or takes it off. */
  send: (pluginKey: string, isOn: boolean) => Promise<unknown>;
};

const installed = (seen: string | undefined): ListChange => ({
  list: 'listInstalled',
  send: (plugin_key, isOn) =>
    isOn
      ? call('installPlugin', { plugin_key, ...(seen !== undefined && { version: seen }) })
      : call('uninstallPlugin', { plugin_key }),
});
const LIKED: ListChange = {
  list: 'listLiked',
  send: (plugin_key, isOn) =>
    call('praisePlugin', { plugin_key, praise: isOn ? PRAISE_LIKE : PRAISE_UNLIKE }),
};

/**
 * Uninstalls a plugin of the viewer's list, and installs it again.
 * @param seen version that the list shows as theirs: what asks for more is not installed by an undo
 */
export const useInstallation = (pluginKey: string, seen: string | undefined) =>
  useListChange(pluginKey, installed(seen));

/** Unlikes a plugin of the viewer's list, and likes it again. */
export const useLiking = (pluginKey: string) => useListChange(pluginKey, LIKED);

/**
 * Seen at once, undone when it fails. The list keeps its place for the plugin until it is loaded again, so that a slip
 * is undone where it happened.
 */
function useListChange(pluginKey: string, { list, send }: ListChange) {
  const client = useQueryClient();
  const [isOn, setOn] = useState(true);
  const { mutate, isPending } = useMutation({
    scope: { id: `plugin ${pluginKey}` },
    mutationFn: (next: boolean) => send(pluginKey, next),
    onMutate: setOn,
    onError: (_error, next) => setOn(!next),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: [list], refetchType: 'none' });
      await client.invalidateQueries({ predicate: ({ queryKey }) => SHOWN_ELSEWHERE.includes(queryKey[0]) });
    },
  });
  return { isOn, isPending, change: mutate };
}
