import { useInfiniteQuery } from '@tanstack/react-query';
import LayoutGridIcon from 'lucide-react/icons/layout-grid';
import UploadIcon from 'lucide-react/icons/upload';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../../shared/constants.ts';
import type { ManagedPlugin } from '../../../../shared/entities/backstage.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { ItemRow } from '../../../features/sorting/item-row.tsx';
import { SortableList } from '../../../features/sorting/sortable-list.tsx';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { Tabs } from '../../../ui/tabs/tabs.tsx';
import { PagedList } from '../../paged-list.tsx';
import { STATUS_NAMES, useListFilter } from '../filters/list-filter.ts';
import { DeletedPlugins } from './deleted-plugins.tsx';
import styles from './manage.module.css';
import { ManagedPlugins } from './managed-plugins.tsx';
import { recommendedOrderQuery, useSetting } from './managed-query.ts';
import { ManagedPluginCell } from './managed-row.tsx';
import { WithdrawalProposals } from './withdrawal-proposals.tsx';

const RECOMMENDED = 'recommended';
const DELETED = 'deleted_plugins';

const VIEWS = [RECOMMENDED, DELETED] as const;

/** All plugins: visibility, recommendation and default installs (R 7.6). */
export function ManageScreen() {
  const t = useTranslations('manage');
  const status = useTranslations('status');
  const { filter, query, setParameters } = useListFilter('all');
  const tab = VIEWS.find((view) => query.get('view') === view) ?? filter.status;
  const isView = tab === RECOMMENDED || tab === DELETED;
  const choose = (id: typeof tab): void =>
    setParameters(id === RECOMMENDED || id === DELETED ? { view: id } : { view: '', status: id });
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          <Link className={buttonClass({ variant: 'outline' })} to={`${BASE_PATH}publish-plugin/batch`}>
            <UploadIcon />
            {t('batch_import')}
          </Link>
        }
      />
      <WithdrawalProposals />
      <Tabs
        label={t('statuses')}
        value={tab}
        onChange={choose}
        tabs={[
          ...STATUS_NAMES.map((id) => ({ id, label: status(id) })),
          ...VIEWS.map((id) => ({ id, label: t(id) })),
        ]}
        panel="managed"
      />
      <div id="managed" role="tabpanel" aria-label={isView ? t(tab) : status(tab)}>
        {tab === RECOMMENDED && <Recommended />}
        {tab === DELETED && <DeletedPlugins />}
        {!isView && <ManagedPlugins />}
      </div>
    </>
  );
}

/** All recommended plugins in order; sortable once all of them have loaded. */
function Recommended() {
  const t = useTranslations('manage');
  const query = useInfiniteQuery(recommendedOrderQuery());
  const all = query.data?.pages.flatMap((page) => page.plugin_list) ?? [];
  const recommended = all.filter(({ is_recommended }) => is_recommended);
  const hasMore = query.hasNextPage && recommended.length === all.length;
  const { isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasMore && !isFetching && !isError) void fetchNextPage();
  }, [hasMore, isFetching, isError, fetchNextPage]);
  return (
    <>
      <p className={styles.lead}>{t('recommended_lead')}</p>
      <PagedList
        query={{ ...query, data: hasMore ? undefined : query.data, hasNextPage: false }}
        isEmpty={recommended.length === 0}
        empty={
          <Notice
            icon={<LayoutGridIcon size={22} />}
            title={t('recommended_empty')}
            text={t('recommended_empty_text')}
          />
        }
      >
        <RecommendedOrder plugins={recommended} />
      </PagedList>
    </>
  );
}

/** The recommended plugins as a sortable list. */
function RecommendedOrder({ plugins }: { plugins: readonly ManagedPlugin[] }) {
  const t = useTranslations('manage');
  const order = useOrderRecommended();
  const keys = plugins.map(({ plugin }) => plugin.plugin_key);
  const shown = order.isPending ? order.variables : keys;
  const byKey = new Map(plugins.map((managed) => [managed.plugin.plugin_key, managed]));
  return (
    <SortableList
      label={t('recommended')}
      ids={shown}
      nameOf={(id) => byKey.get(String(id))?.plugin.name ?? ''}
      onOrder={(ids) => order.mutate(ids)}
    >
      {shown.map((key) => {
        const managed = byKey.get(key);
        return managed && <RecommendedRow key={key} managed={managed} />;
      })}
    </SortableList>
  );
}

/** Reorders the recommended plugins; another administrator may have changed the selection. */
function useOrderRecommended() {
  const t = useTranslations('manage');
  const common = useTranslations('common');
  return useOperation('orderRecommended', (pluginKeys: string[]) => ({ plugin_keys: pluginKeys }), {
    scope: { id: 'recommended-order' },
    done: common('ordered'),
    failsIn: 'toast',
    failed: common('order_failed'),
    errorMessages: { CONFLICT: t('order_conflict') },
  });
}

/** One recommended plugin with its position. */
function RecommendedRow({ managed }: { managed: ManagedPlugin }) {
  const t = useTranslations('manage');
  const recommend = useSetting('recommended');
  const { plugin, is_live } = managed;
  const { plugin_key, name } = plugin;
  return (
    <ItemRow
      sort={{ id: plugin_key, name }}
      body={<ManagedPluginCell managed={managed} />}
      status={
        !is_live && (
          <Badge tone="warning" dot>
            {t('not_live')}
          </Badge>
        )
      }
      actions={
        <Button
          size="s"
          busy={recommend.isPending}
          aria-label={t('unrecommend_named', { name })}
          onClick={() => recommend.mutate({ plugin_key, isOn: false })}
        >
          {t('unrecommend')}
        </Button>
      }
    />
  );
}
