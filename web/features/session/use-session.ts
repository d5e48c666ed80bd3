import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { SESSION_REVALIDATE_AFTER } from '../../../shared/constants.ts';
import type { Role, UserInfo } from '../../../shared/entities/user.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { SESSION_KEY } from '../../api/query-client.ts';

type Session =
  | { status: 'unknown'; user: undefined; role: undefined }
  | { status: 'anonymous'; user: undefined; role: undefined }
  | { status: 'signed-in'; user: UserInfo; role: Role };

/** The viewer's session: in the document, else requested once; requested again when stale and after any 401. */
export function useSession(): Session {
  const { data, isError } = useQuery({
    ...queryOptionsOf('readSession', {}),
    staleTime: SESSION_REVALIDATE_AFTER,
    refetchOnWindowFocus: true,
  });
  if (data?.signed_in && data.user) return { status: 'signed-in', user: data.user, role: data.role ?? 0 };
  return { status: data || isError ? 'anonymous' : 'unknown', user: undefined, role: undefined };
}

/** Display name of a user: their nickname, else their sign-in name. */
export function userName({ nick_name, user_name, email }: UserInfo): string {
  return nick_name.trim() || user_name.trim() || email;
}

/** Refetches everything when the viewer isn't the user whose data is on screen. */
export function useViewerChange(): void {
  const { status, user } = useSession();
  const queryClient = useQueryClient();
  const viewer = useRef(user?.user_id);
  useEffect(() => {
    if (status === 'unknown' || viewer.current === user?.user_id) return;
    viewer.current = user?.user_id;
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
  }, [status, user?.user_id, queryClient]);
}
