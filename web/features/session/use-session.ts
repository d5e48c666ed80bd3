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

/** Who is looking: known with the page, else asked once; asked again when old and after any 401. */
export function useSession(): Session {
  const { data, isError } = useQuery({
    ...queryOptionsOf('readSession', {}),
    staleTime: SESSION_REVALIDATE_AFTER,
    refetchOnWindowFocus: true,
  });
  if (data?.signed_in && data.user) return { status: 'signed-in', user: data.user, role: data.role ?? 0 };
  return { status: data || isError ? 'anonymous' : 'unknown', user: undefined, role: undefined };
}

/** What a user is called: the name they chose, else what they sign in with. */
export function userName({ nick_name, user_name, email }: UserInfo): string {
  return nick_name.trim() || user_name.trim() || email;
}

/** Reads everything again when another user turns out to be looking than the data on screen was made for. */
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
