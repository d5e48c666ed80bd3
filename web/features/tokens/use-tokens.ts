import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, type DataFor, type PayloadFor } from '../../api/client.ts';
import { queryOptionsOf } from '../../api/queries.ts';

/** Makes a token; its secret is in the answer alone and in no cache. */
export function useMakeToken() {
  const client = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: (payload: PayloadFor<'createPublishToken'>) => call('createPublishToken', payload),
    onSuccess: ({ token }) => {
      client.setQueryData<DataFor<'listPublishTokens'>>(
        tokensQuery().queryKey,
        (data) => data && { token_list: [token, ...data.token_list] },
      );
    },
  });
}

/** Ends a token at once. */
export function useRevokeToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call('revokePublishToken', { id }),
    onSettled: () => client.invalidateQueries({ queryKey: tokensQuery().queryKey }),
  });
}

/** The viewer's publish tokens, newest first. */
export const tokensQuery = () => queryOptionsOf('listPublishTokens', {});
