import { useTranslations } from 'use-intl';
import { BACKSTAGE_PAGE_SIZE, PAGE_SIZE_MAX } from '../../../../shared/constants.ts';
import { useFailureText } from '../../../api/error-text.ts';
import { infiniteQueryOptionsOf } from '../../../api/queries.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { useToast } from '../../../ui/toast/toast-context.ts';
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

type Setting = 'hidden' | 'recommended' | 'silent';

const CHANGES = {
  hidden: {
    requestOf: (plugin_key: string, is_hidden: boolean) => ['hidePlugin', { plugin_key, is_hidden }] as const,
    on: 'now_hidden',
    off: 'now_shown',
  },
  recommended: {
    requestOf: (plugin_key: string, is_recommended: boolean) =>
      ['recommendPlugin', { plugin_key, is_recommended }] as const,
    on: 'now_recommended',
    off: 'now_not_recommended',
  },
  silent: {
    requestOf: (plugin_key: string, is_silent: boolean) =>
      ['setSilentInstall', { plugin_key, is_silent }] as const,
    on: 'now_silent',
    off: 'now_not_silent',
  },
} as const;

/** Changes a setting of a plugin and refetches the lists. */
export function useSetting(setting: Setting) {
  const t = useTranslations('manage');
  const failureText = useFailureText();
  const toast = useToast();
  const { requestOf, on, off } = CHANGES[setting];
  return useOperation(
    (change: { plugin_key: string; isOn: boolean }) => requestOf(change.plugin_key, change.isOn),
    {
      onSuccess: (_managed, { isOn }) => toast({ kind: 'success', text: t(isOn ? on : off) }),
      onError: (error) => toast({ kind: 'failure', text: failureText(t('failed'), error) }),
    },
  );
}
