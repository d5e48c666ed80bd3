import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ROLE_USER, SESSION_REVALIDATE_AFTER } from '../../../shared/constants.ts';
import type { Role, UserInfo } from '../../../shared/entities/user.ts';
import { invalidate } from '../../api/invalidate.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { BESIDE_SESSION, SESSION_KEY } from '../../api/query-client.ts';
import { hasUnsavedInput } from '../../loading/unsaved-input.ts';

type Session =
  | { status: 'unknown'; user: undefined; role: undefined }
  | { status: 'anonymous'; user: undefined; role: undefined }
  | { status: 'signed-in'; user: UserInfo; role: Role };

/**
 * The viewer's session: in the document, else requested once; requested again when stale, after any 401, and when its token
 * is about to expire, in a background tab too, so that the first click after a pause is as fast as others.
 */
export function useSession(): Session {
  const { data, isError } = useQuery({
    ...queryOptionsOf('readSession', {}),
    staleTime: SESSION_REVALIDATE_AFTER,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) => state.data?.refresh_in ?? false,
    refetchIntervalInBackground: true,
  });
  if (data?.signed_in && data.user) return { status: 'signed-in', user: data.user, role: data.role ?? 0 };
  return { status: data || isError ? 'anonymous' : 'unknown', user: undefined, role: undefined };
}

/** The session, or the last one that was signed in: a page with input outlives it. */
export function useLastSession(): Session {
  const session = useSession();
  const last = useRef(session);
  if (session.status === 'signed-in') last.current = session;
  return last.current;
}

/** Whether the viewer is signed in as an administrator. */
export function useIsAdmin(): boolean {
  const { role } = useSession();
  return role !== undefined && role !== ROLE_USER;
}

/** Display name of a user: their nickname, else their sign-in name. */
export function userName({ nick_name, user_name, email }: UserInfo): string {
  return nick_name.trim() || user_name.trim() || email;
}

/** Tells a browser's other tabs who is signed in: the user's id, or null for nobody. */
const CHANNEL = 'viewer';

/** Looks at the session again when another tab shows another user. */
function useOtherTabs({ status, user }: Session): void {
  const queryClient = useQueryClient();
  const viewer = user?.user_id ?? null;
  useEffect(() => {
    if (status === 'unknown') return;
    const channel = new BroadcastChannel(CHANNEL);
    channel.postMessage(viewer);
    channel.onmessage = ({ data }) => {
      if (data !== viewer) void queryClient.invalidateQueries({ queryKey: SESSION_KEY });
    };
    return () => channel.close();
  }, [status, viewer, queryClient]);
}

/** Refetches everything when the viewer changes, in any tab, and takes another user's data off the screen unless there is input. */
export function useViewerChange(): void {
  const session = useSession();
  const { status, user } = session;
  const queryClient = useQueryClient();
  useOtherTabs(session);
  const viewer = useRef(user?.user_id);
  const lastUser = useRef(user?.user_id);
  useEffect(() => {
    if (status === 'unknown' || viewer.current === user?.user_id) return;
    viewer.current = user?.user_id;
    const isOther = user !== undefined && lastUser.current !== undefined && lastUser.current !== user.user_id;
    if (user) lastUser.current = user.user_id;
    if (isOther && !hasUnsavedInput()) void queryClient.resetQueries(BESIDE_SESSION);
    else void invalidate(queryClient, BESIDE_SESSION);
  }, [status, user, queryClient]);
}
