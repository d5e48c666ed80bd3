import type { QueryClient } from '@tanstack/react-query';
import { isCancelled } from '../../api/call.ts';
import { call } from '../../api/client.ts';
import { invalidate } from '../../api/invalidate.ts';
import { BESIDE_SESSION } from '../../api/query-client.ts';

/**
 * Installs the default plugins, and invalidates plugin queries if there were any. False when cancelled.
 * @throws ApiError
 */
export async function installDefaults(queryClient: QueryClient, signal: AbortSignal): Promise<boolean> {
  const answer = await call('installDefaults', {}, { signal });
  if (isCancelled(answer)) return false;
  if (answer.plugin_keys.length > 0) await invalidate(queryClient, BESIDE_SESSION);
  return true;
}
