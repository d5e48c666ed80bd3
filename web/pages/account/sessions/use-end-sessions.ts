import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isApiError } from '../../../api/api-error.ts';
import { call, type DataFor } from '../../../api/client.ts';
import { queryKeyOf } from '../../../api/queries.ts';

const KEY = queryKeyOf('listOwnSessions', {});

/** Signs one of the viewer's devices out; one that has been signed out meanwhile is as good. */
export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (sid: string): Promise<void> => {
      try {
        await call('endOwnSession', { sid });
      } catch (error) {
        if (!isApiError(error) || error.status !== 404) throw error;
      }
    },
    onSuccess: (_nothing, sid) => {
      client.setQueryData<DataFor<'listOwnSessions'>>(
        KEY,
        (data) => data && { session_list: data.session_list.filter((session) => session.sid !== sid) },
      );
    },
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}

/** Signs all devices out but this one. */
export function useEndOthers() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('endOtherSessions', {}),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
