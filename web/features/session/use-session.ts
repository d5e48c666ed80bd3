import { useQuery } from '@tanstack/react-query';
import { SESSION_REVALIDATE_AFTER } from '../../../shared/constants.ts';
import type { Role, UserInfo } from '../../../shared/entities/user.ts';
import { queryOptionsOf } from '../../api/queries.ts';

export type Session =
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
