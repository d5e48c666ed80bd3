import { type Query, useMutation, useQueryClient } from '@tanstack/react-query';
import type { SessionView } from '../../../shared/entities/user.ts';
import { call } from '../../api/client.ts';
import { BESIDE_SESSION, putNewerData, SESSION_KEY } from '../../api/query-client.ts';
import { isOpen } from '../../api/wire.ts';
import { hasUnsavedInput } from '../../loading/unsaved-input.ts';

const ANONYMOUS: SessionView = {
  signed_in: false,
  user: null,
  role: null,
  login_method: null,
  expires_at: null,
};

/**
 * Ends the session, clears the query cache but for what a form with input needs, and navigates to the service's logout page, if any
 * (R 8.13).
 */
export function useSignOut() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call('logout', {}),
    onSuccess: async ({ redirect_url }) => {
      if (redirect_url !== null) location.assign(redirect_url);
      await putNewerData(queryClient, SESSION_KEY, ANONYMOUS);
      if (hasUnsavedInput()) return queryClient.removeQueries({ type: 'inactive' });
      queryClient.removeQueries({ predicate: (query) => !query.isActive() || needsSession(query) });
      await queryClient.resetQueries(BESIDE_SESSION);
    },
  });
}

/** Queries for signed-in users only: a refetch would be rejected. */
function needsSession({ queryKey }: Query): boolean {
  return !isOpen(queryKey[0]);
}
