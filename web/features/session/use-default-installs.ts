import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { tabStorage } from '../../api/tab-storage.ts';
import { useSession } from './use-session.ts';

/** Where this tab remembers the user whose default plugins are installed. */
const ASKED = 'default_installs';

/**
 * Once for each sign-in, has the default plugins installed (specification section 7). The service installs each for a
 * user once only, so that asking twice does no harm; when it fails or is cancelled, the next page asks again.
 */
export function useDefaultInstalls(): void {
  const { user } = useSession();
  const queryClient = useQueryClient();
  const userId = user?.user_id;
  useEffect(() => {
    if (userId === undefined) tabStorage().removeItem(ASKED);
    if (userId === undefined || tabStorage().getItem(ASKED) === String(userId)) return;
    const leaving = new AbortController();
    import('./install-defaults.ts')
      .then(({ installDefaults }) => installDefaults(queryClient, leaving.signal))
      .then(
        (isDone) => isDone && tabStorage().setItem(ASKED, String(userId)),
        () => undefined,
      );
    return () => leaving.abort();
  }, [userId, queryClient]);
}
