import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiError } from '../../api/api-error.ts';
import { infiniteQueryOptionsOf, queryOptionsOf } from '../../api/queries.ts';
import { putNewerData } from '../../api/query-client.ts';
import { useOperation } from '../../api/use-operation.ts';
import { useSession } from './use-session.ts';

/** Milliseconds between refetches while the page is visible. */
const REFETCH_INTERVAL_MS = 20_000;

export const COUNT = queryOptionsOf('countNotices', {});
export const LIST = infiniteQueryOptionsOf('listNotices', {});

/** An older community service has no notices. */
const hasNone = (error: ApiError | null): boolean => error?.status === 404;

/** The number of unread notices, refetched while the page is visible; `isAvailable` is undefined until loaded. */
export function useUnreadNotices(): { count: number | undefined; isAvailable: boolean | undefined } {
  const { status } = useSession();
  const { data, error } = useQuery({
    ...COUNT,
    enabled: ({ state }) => status === 'signed-in' && !hasNone(state.error),
    staleTime: REFETCH_INTERVAL_MS,
    refetchInterval: REFETCH_INTERVAL_MS,
    refetchOnWindowFocus: true,
  });
  return {
    count: data?.unread_count,
    isAvailable: data !== undefined ? true : error ? !hasNone(error) : undefined,
  };
}

/**
 * Marks one notice, or it and all older ones, as read: the list at once, the bell with the answer. One call at a time; the
 * last one refetches both.
 */
export function useReadNotices() {
  const client = useQueryClient();
  return useOperation('readNotices', (read: { id: number; and_older?: true }) => read, {
    mutationKey: ['readNotices'],
    scope: { id: 'notices' },
    onMutate: async ({ id, and_older }) => {
      await client.cancelQueries({ queryKey: LIST.queryKey });
      client.setQueryData(LIST.queryKey, (list) => {
        if (!list) return list;
        const pages = list.pages.map((page) => ({
          ...page,
          notice_list: page.notice_list.map((notice) =>
            notice.id === id || (and_older && notice.id < id) ? { ...notice, is_read: true } : notice,
          ),
        }));
        return { ...list, pages };
      });
    },
    onSuccess: async (answer) => {
      if ('unread_count' in answer) await putNewerData(client, COUNT.queryKey, answer);
    },
  });
}
