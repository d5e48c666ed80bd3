import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { SESSION_KEY } from '../../api/query-client.ts';
import { useSession } from './use-session.ts';

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
