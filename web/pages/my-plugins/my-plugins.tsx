import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { ROLE_USER } from '../../../shared/constants.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import {
  installedQuery,
  likedQuery,
  ownPluginsQuery,
} from '../../features/own-plugins/own-plugins-queries.ts';
import { TokenPanel } from '../../features/tokens/token-panel.tsx';
import { ListTotal } from '../../layout/list-total.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { UploadIcon } from '../../ui/icon/account-icons.tsx';
import { PlusIcon } from '../../ui/icon/sign-icons.tsx';
import { PageHeader } from '../../ui/page-header/page-header.tsx';
import { Tabs } from '../../ui/tabs/tabs.tsx';
import { BATCH_PATH, PUBLISH_PATH, STATISTICS_PATH } from '../publish/publish-paths.ts';
import { VisitorGate } from '../visitor-gate.tsx';
import { InstalledPanel } from './installed-panel.tsx';
import { LikedPanel } from './liked-panel.tsx';
import styles from './my-plugins.module.css';
import { PublishedPanel } from './published-panel.tsx';
import { ReportsPanel } from './reports-panel.tsx';
import { StatisticsPanel } from './statistics-panel.tsx';

const TABS = ['published', 'installed', 'liked', 'statistics', 'tokens', 'reports'] as const;
type TabId = (typeof TABS)[number];

const TAB = 'tab';
const PLUGIN = 'plugin_key';
const PANEL = 'my-plugins-panel';

/** The page once it is known who looks: users who may not publish begin with what they installed. */
export function MyPlugins() {
  const t = useTranslations('myPlugins');
  const [query, setQuery] = useSearchParams();
  const viewer = useQuery(queryOptionsOf('verifyUser', {})).data;
  const own = useInfiniteQuery(ownPluginsQuery());
  const installed = useInfiniteQuery(installedQuery());
  const liked = useInfiniteQuery(likedQuery());
  const mayPublish = viewer?.may_publish ?? false;
  const hasPublished = (own.data?.pages[0]?.total ?? 0) > 0;
  const offered = TABS.filter(
    (id) => mayPublish || (id !== 'tokens' && (id !== 'statistics' || hasPublished)),
  );
  const fallback: TabId = mayPublish ? 'published' : 'installed';
  const tab = offered.find((id) => id === query.get(TAB)) ?? fallback;
  const choose = (next: TabId): void =>
    setQuery(next === fallback ? {} : { [TAB]: next }, { replace: true, preventScrollReset: true });
  const counts: Readonly<Record<TabId, ReactNode>> = {
    published: own.data?.pages[0] && <ListTotal of={own.data.pages[0]} />,
    installed: installed.data?.pages[0] && <ListTotal of={installed.data.pages[0]} />,
    liked: liked.data?.pages[0] && <ListTotal of={liked.data.pages[0]} />,
    statistics: undefined,
    tokens: undefined,
    reports: undefined,
  };
  const plugins = own.data?.pages.flatMap((page) => page.plugin_list.map(({ plugin }) => plugin)) ?? [];
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          mayPublish && (
            <>
              {viewer?.role !== ROLE_USER && (
                <Link className={buttonClass({ variant: 'outline' })} to={BATCH_PATH}>
                  <UploadIcon />
                  {t('batch')}
                </Link>
              )}
              <Link className={buttonClass({ variant: 'primary' })} to={PUBLISH_PATH}>
                <PlusIcon />
                {t('publish')}
              </Link>
            </>
          )
        }
      />
      <Tabs
        label={t('title')}
        tabs={offered.map((id) => ({ id, label: t(`tab_${id}`), count: counts[id] }))}
        value={tab}
        onChange={choose}
        panel={PANEL}
      />
      <div id={PANEL} role="tabpanel" aria-label={t(`tab_${tab}`)}>
        {tab === 'published' && <PublishedPanel query={own} mayPublish={mayPublish} />}
        <VisitorGate>
          {tab === 'installed' && <InstalledPanel />}
          {tab === 'liked' && <LikedPanel />}
        </VisitorGate>
        {tab === 'statistics' && (
          <OwnStatistics plugins={plugins} pluginKey={query.get(PLUGIN) ?? undefined} />
        )}
        {tab === 'tokens' && <TokenPanel plugins={plugins} />}
        {tab === 'reports' && <ReportsPanel />}
      </div>
    </div>
  );
}

type OwnStatisticsProps = {
  plugins: readonly { plugin_key: string; name: string }[];
  pluginKey: string | undefined;
};

function OwnStatistics({ plugins, pluginKey }: OwnStatisticsProps) {
  const t = useTranslations('myPlugins');
  const name = plugins.find(({ plugin_key }) => plugin_key === pluginKey)?.name ?? pluginKey;
  return (
    <StatisticsPanel key={pluginKey} pluginKey={pluginKey}>
      {name === undefined ? (
        <p>{t('statistics_of_all')}</p>
      ) : (
        <p>
          {t('statistics_of_one', { name })} <Link to={STATISTICS_PATH}>{t('statistics_show_all')}</Link>
        </p>
      )}
    </StatisticsPanel>
  );
}
