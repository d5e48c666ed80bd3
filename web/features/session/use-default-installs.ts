import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { tabStorage } from '../../api/tab-storage.ts';
import { lazyWithRetry } from '../../loading/lazy-with-retry.ts';
import { useSession } from './use-session.ts';

const defaults = lazyWithRetry(async () => (await import('./install-defaults.ts')).installDefaults);

/** Storage key with the user whose default plugins are installed. */
const STORAGE_KEY = 'default_installs';

/**
 * Installs the default plugins once per sign-in (R 4.7). The service installs each only once per
 * user, so repeating does no harm; after a failure or a cancelled call the next page tries again.
 */
export function useDefaultInstalls(): void {
  const { user } = useSession();
  const queryClient = useQueryClient();
  const userId = user?.user_id;
  useEffect(() => {
    if (userId === undefined) tabStorage().removeItem(STORAGE_KEY);
    if (userId === undefined || tabStorage().getItem(STORAGE_KEY) === String(userId)) return;
    const leaving = new AbortController();
    defaults
      .load()
      .then((installDefaults) => installDefaults(queryClient, leaving.signal))
      .then(
        (isDone) => isDone && tabStorage().setItem(STORAGE_KEY, String(userId)),
        () => undefined,
      );
    return () => leaving.abort();
  }, [userId, queryClient]);
}
