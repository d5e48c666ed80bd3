import { useQuery } from '@tanstack/react-query';
import type { Member } from '../../../../shared/entities/backstage.ts';
import { call } from '../../../api/client.ts';

/** Members whose tokens one call counts. */
const AT_ONCE = 100;

/** How many publish tokens of each member work; those of a longer list stay while it is counted again. */
export function useTokenCounts(members: readonly Member[]): ReadonlyMap<number, number> {
  const ids = members.map(({ user_id }) => user_id);
  const { data } = useQuery({
    queryKey: ['countManagedTokens', { ids }],
    queryFn: async () => {
      const parts = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, part) =>
        ids.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
      );
      const answers = await Promise.all(
        parts.map((part) => call('countManagedTokens', { user_ids: part.join(',') })),
      );
      return answers.flatMap(({ count_list }) => count_list);
    },
    placeholderData: (previous) => previous,
  });
  return new Map((data ?? []).map(({ user_id, count }) => [user_id, count]));
}
