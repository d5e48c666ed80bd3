import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { BACKSTAGE_PAGE_SIZE, PAGE_SIZE_MAX } from '../../../../shared/constants.ts';
import { call } from '../../../api/client.ts';
import { useFailureText } from '../../../api/error-text.ts';
import { infiniteQueryOptionsOf } from '../../../api/queries.ts';
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
    send: (plugin_key: string, is_hidden: boolean) => call('hidePlugin', { plugin_key, is_hidden }),
    on: 'now_hidden',
    off: 'now_shown',
  },
  recommended: {
    send: (plugin_key: string, is_recommended: boolean) =>
      call('recommendPlugin', { plugin_key, is_recommended }),
    on: 'now_recommended',
    off: 'now_not_recommended',
  },
  silent: {
    send: (plugin_key: string, is_silent: boolean) => call('setSilentInstall', { plugin_key, is_silent }),
    on: 'now_silent',
    off: 'now_not_silent',
  },
} as const;

/** Changes a setting of a plugin and refetches the lists. */
export function useSetting(setting: Setting) {
  const t = useTranslations('manage');
  const failureText = useFailureText();
  const queryClient = useQueryClient();
  const toast = useToast();
  const { send, on, off } = CHANGES[setting];
  return useMutation({
    mutationFn: ({ plugin_key, isOn }: { plugin_key: string; isOn: boolean }) => send(plugin_key, isOn),
    onSuccess: (_managed, { isOn }) => toast({ kind: 'success', text: t(isOn ? on : off) }),
    onError: (error) => toast({ kind: 'failure', text: failureText(t('failed'), error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['listManagedPlugins'] }),
  });
}
