import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { SESSION_KEY } from '../../api/query-client.ts';
import { isCancelled } from '../../api/transport.ts';

/** Has the default plugins installed, and what shows plugins read anew if there were any. @throws ApiError */
export async function installDefaults(queryClient: QueryClient, signal: AbortSignal): Promise<void> {
  const answer = await call('installDefaults', {}, { signal });
  if (isCancelled(answer) || answer.plugin_keys.length === 0) return;
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
}
