import type { ComponentProps, MouseEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { BASE_PATH } from '../../../shared/constants.ts';
import { isModifiedClick, useLatestQuery } from '../../api/latest-location.ts';
import { changedFilter, type PluginFilter, pluginFilterOf, queryOf } from './plugin-filter.ts';

type Props = Omit<ComponentProps<typeof Link>, 'to'> & {
  filter: PluginFilter;
  /** The part of the filter that the link changes. */
  change: Partial<PluginFilter>;
};

/** A link to home with a part of the filter changed. */
export function FilterLink({ filter, change, replace, preventScrollReset, ...link }: Props) {
  const changeFilter = useChangeFilter();
  const follow = (event: MouseEvent): void => {
    if (isModifiedClick(event)) return;
    event.preventDefault();
    changeFilter(change, { replace, preventScrollReset });
  };
  return <Link {...link} to={`${BASE_PATH}${queryOf(changedFilter(filter, change))}`} onClick={follow} />;
}

type Options = { replace?: boolean | undefined; preventScrollReset?: boolean | undefined };

/** Navigates to home with a part of the latest filter changed, that of a pending navigation included. */
export function useChangeFilter() {
  const navigate = useNavigate();
  const latestQuery = useLatestQuery();
  return (change: Partial<PluginFilter>, { replace, preventScrollReset = false }: Options): void => {
    const before = pluginFilterOf(latestQuery());
    const [from, to] = [queryOf(before), queryOf(changedFilter(before, change))];
    void navigate(`${BASE_PATH}${to}`, { replace: replace ?? from === to, preventScrollReset });
  };
}
