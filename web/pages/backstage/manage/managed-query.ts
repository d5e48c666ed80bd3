import { useTranslations } from 'use-intl';
import { BACKSTAGE_PAGE_SIZE, PAGE_SIZE_MAX } from '../../../../shared/constants.ts';
import { infiniteQueryOptionsOf } from '../../../api/queries.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { type ListFilter, payloadOf } from '../filters/list-filter.ts';

/** Available orders; all are descending. */
export const SORTS = ['latest', 'installs', 'likes', 'views'] as const;
type Sort = (typeof SORTS)[number];

/** Plugins of a filter in an order, page by page. */
export const managedQuery = (filter: ListFilter, sort: Sort) =>
  infiniteQueryOptionsOf(
    'listManagedPlugins',
    { ...payloadOf(filter), sort, limit: BACKSTAGE_PAGE_SIZE },
    { staleTime: 0 },
  );

/** Recommended plugins come first in this order, in their own sequence. */
export const recommendedOrderQuery = () =>
  infiniteQueryOptionsOf(
    'listManagedPlugins',
    { sort: 'recommended', limit: PAGE_SIZE_MAX },
    { staleTime: 0 },
  );

/** Deleted plugins, the last deleted first. */
export const deletedQuery = () =>
  infiniteQueryOptionsOf(
    'listManagedPlugins',
    { is_deleted: true, limit: BACKSTAGE_PAGE_SIZE },
    { staleTime: 0 },
  );

type Change = { plugin_key: string; isOn: boolean };
type Setting = 'hidden' | 'recommended' | 'silent';

const CHANGES = {
  hidden: {
    operation: 'hidePlugin',
    payloadOf: ({ plugin_key, isOn }: Change) => ({ plugin_key, is_hidden: isOn }),
    on: 'now_hidden',
    off: 'now_shown',
  },
  recommended: {
    operation: 'recommendPlugin',
    payloadOf: ({ plugin_key, isOn }: Change) => ({ plugin_key, is_recommended: isOn }),
    on: 'now_recommended',
    off: 'now_not_recommended',
  },
  silent: {
    operation: 'setSilentInstall',
    payloadOf: ({ plugin_key, isOn }: Change) => ({ plugin_key, is_silent: isOn }),
    on: 'now_silent',
    off: 'now_not_silent',
  },
} as const;

/** Changes a setting of a plugin and refetches the lists. */
export function useSetting(setting: Setting) {
  const t = useTranslations('manage');
  const common = useTranslations('common');
  const { operation, payloadOf, on, off } = CHANGES[setting];
  return useOperation(operation, payloadOf, {
    done: (_managed, { isOn }) => t(isOn ? on : off),
    failsIn: 'toast',
    failed: common('failed'),
  });
}
