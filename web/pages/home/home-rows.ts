import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { PluginCard } from '../../../shared/entities/plugin.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { editorsCollectionsQuery } from '../../features/collections/collections-queries.ts';
import { recommendedQuery, tagPageQuery, trendingQuery } from '../../features/plugins/plugin-queries.ts';
import { ROW } from '../../features/plugins/plugin-row.tsx';

/** Collections of the editors on home. */
export const EDITORS_SHOWN = 4;

type Plugins = readonly PluginCard[] | undefined;

/** What is wanted most; undefined while it loads, nothing when it fails to load. */
function useTrending(isNew: boolean, enabled: boolean): Plugins {
  const { data, isError } = useQuery({ ...trendingQuery(isNew), enabled });
  return isError ? [] : data?.plugin_list;
}

/** A full row of plugins that are not on the page yet, or none. */
function rowOf(plugins: Plugins, shown: ReadonlySet<string>): Plugins {
  const row = plugins?.filter(({ plugin_key }) => !shown.has(plugin_key)).slice(0, ROW);
  return row && row.length < ROW ? [] : row;
}

const keysOf = (plugins: Plugins): string[] => plugins?.map(({ plugin_key }) => plugin_key) ?? [];

/**
 * The rows above the list of home, without what is above them; `above` has the keys of all of them, so that none is on the
 * page twice.
 */
export function useHomeRows(page: number, enabled: boolean) {
  const { data: slots } = useQuery({ ...queryOptionsOf('listActiveSlots', {}), enabled });
  const { data: recommended } = useQuery({ ...recommendedQuery(page), enabled });
  const wanted = useTrending(false, enabled);
  const fresh = useTrending(true, enabled);
  const picked = useQuery({ ...editorsCollectionsQuery(), enabled });
  const editors = picked.isError ? [] : picked.data?.collection_list.slice(0, EDITORS_SHOWN);
  const featured = useMemo(() => new Set(slots?.slot_list.map(({ plugin }) => plugin.plugin_key)), [slots]);
  const rows = useMemo(() => {
    const above = new Set([...featured, ...keysOf(recommended?.plugin_list)]);
    const trending = rowOf(wanted, above);
    for (const key of keysOf(trending)) above.add(key);
    const newest = rowOf(fresh, above);
    for (const key of keysOf(newest)) above.add(key);
    return { featured, trending, newest, above };
  }, [featured, recommended, wanted, fresh]);
  return { ...rows, editors };
}

/** The row above the list of a tag, its introduction, and the keys of what the row has. */
export function useTagRows(tagId: number, enabled: boolean) {
  const { data, isError } = useQuery({ ...tagPageQuery(tagId), enabled });
  return useMemo(() => {
    const row = isError ? [] : rowOf(data?.plugin_list, new Set());
    return { intro: data, row, above: new Set(keysOf(row)) };
  }, [data, isError]);
}
