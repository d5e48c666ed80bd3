import { type QueryKey, useQueryClient } from '@tanstack/react-query';

type Ordered = { plugin_list: readonly { plugin: { plugin_key: string } }[] };

/** For an operation that orders the plugins of a query: the new order is shown at once, and taken back if it fails. */
export function useShownOrder<T extends Ordered>(queryKey: QueryKey) {
  const client = useQueryClient();
  return {
    onMutate: async (keys: readonly string[]) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<T>(queryKey);
      const place = (key: string): number => keys.indexOf(key);
      client.setQueryData<T>(
        queryKey,
        before && {
          ...before,
          plugin_list: before.plugin_list.toSorted(
            (a, b) => place(a.plugin.plugin_key) - place(b.plugin.plugin_key),
          ),
        },
      );
      return { before };
    },
    onError: (_error: unknown, _keys: readonly string[], context: { before: T | undefined } | undefined) =>
      void client.setQueryData(queryKey, context?.before),
  };
}
