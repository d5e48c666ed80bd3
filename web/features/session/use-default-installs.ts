import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { tabStorage } from '../../api/tab-storage.ts';
import { useSession } from './use-session.ts';

/** Where this browser remembers the session that the default plugins were asked for. */
const ASKED = 'default_installs';

/**
 * Once for each sign-in, has the default plugins installed (specification section 7). The service gives each to a
 * person once only, so that asking twice does no harm; when it fails, the next page asks again.
 */
export function useDefaultInstalls(): void {
  const { user } = useSession();
  const queryClient = useQueryClient();
  const userId = user?.user_id;
  useEffect(() => {
    if (userId === undefined) tabStorage().removeItem(ASKED);
    if (userId === undefined || tabStorage().getItem(ASKED) === String(userId)) return;
    tabStorage().setItem(ASKED, String(userId));
    const leaving = new AbortController();
    import('./install-defaults.ts')
      .then(({ installDefaults }) => installDefaults(queryClient, leaving.signal))
      .catch(() => tabStorage().removeItem(ASKED));
    return () => leaving.abort();
  }, [userId, queryClient]);
}
