import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import PackageIcon from 'lucide-react/icons/package';
import PlusIcon from 'lucide-react/icons/plus';
import UploadIcon from 'lucide-react/icons/upload';
import UserIcon from 'lucide-react/icons/user';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { PROFILE_PATH } from '../../../shared/constants.ts';
import type { DataFor } from '../../api/client.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import {
  installedQuery,
  likedQuery,
  ownPluginsQuery,
} from '../../features/own-plugins/own-plugins-queries.ts';
import { followsQuery } from '../../features/plugins/follow.ts';
import { TokenPanel } from '../../features/tokens/token-panel.tsx';
import { ListTotal } from '../../layout/list-total.tsx';
import { usePageHead } from '../../layout/page-head.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { Notice } from '../../ui/notice/notice.tsx';
import { PageHeader } from '../../ui/page-header/page-header.tsx';
import { Tabs } from '../../ui/tabs/tabs.tsx';
import { AccessGate } from '../access-gate/access-gate.tsx';
import { PagedList } from '../paged-list.tsx';
import { BATCH_PATH, PUBLISH_PATH, STATISTICS_PATH } from '../publish/publish-paths.ts';
import { ViewerProvider } from '../viewer-provider.tsx';
import { CollectionsPanel } from './collections-panel.tsx';
import { FollowedPanel } from './followed-panel.tsx';
import { InstalledPanel } from './installed-panel.tsx';
import { LikedPanel } from './liked-panel.tsx';
import styles from './my-plugins.module.css';
import { PublishedCard } from './published-card.tsx';
import { ReportsPanel } from './reports-panel.tsx';
import { StatisticsPanel } from './statistics-panel.tsx';

/** The viewer's own and installed plugins, and their publish tokens (R 2.14). */
export function MyPluginsPage() {
  const t = useTranslations('myPlugins');
  usePageHead({ title: t('title') });
  return (
    <AccessGate needs="user">
      <MyPlugins />
    </AccessGate>
  );
}

const TABS = [
  'published',
  'installed',
  'liked',
  'collections',
  'followed',
  'statistics',
  'tokens',
  'reports',
] as const;
type TabId = (typeof TABS)[number];

const TAB = 'tab';
const PLUGIN = 'plugin_key';
const PANEL = 'my-plugins-panel';

/** The page once the viewer is known: users who can't publish start with their installed plugins. */
function MyPlugins() {
  const t = useTranslations('myPlugins');
  const [query, setQuery] = useSearchParams();
  const viewer = useQuery(queryOptionsOf('verifyUser', {})).data;
  const own = useInfiniteQuery(ownPluginsQuery());
  const installed = useInfiniteQuery(installedQuery());
  const liked = useInfiniteQuery(likedQuery());
  const follows = useInfiniteQuery(followsQuery());
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
    collections: undefined,
    followed: follows.data?.pages[0] && <ListTotal of={follows.data.pages[0]} />,
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
              <Link className={buttonClass({ variant: 'outline' })} to={PROFILE_PATH}>
                <UserIcon />
                {t('profile')}
              </Link>
              <Link className={buttonClass({ variant: 'outline' })} to={BATCH_PATH}>
                <UploadIcon />
                {t('batch')}
              </Link>
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
        <ViewerProvider>
          {tab === 'installed' && <InstalledPanel />}
          {tab === 'liked' && <LikedPanel />}
          {tab === 'collections' && <CollectionsPanel />}
          {tab === 'followed' && <FollowedPanel />}
        </ViewerProvider>
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

type PublishedPanelProps = {
  query: UseInfiniteQueryResult<InfiniteData<DataFor<'listOwnPlugins'>>>;
  mayPublish: boolean;
};

/** The viewer's own plugins in their last submitted state. */
function PublishedPanel({ query, mayPublish }: PublishedPanelProps) {
  const t = useTranslations('myPlugins');
  const items = query.data?.pages.flatMap((page) => page.plugin_list) ?? [];
  return (
    <PagedList
      query={query}
      skeletons={3}
      isEmpty={items.length === 0}
      empty={
        <Notice
          icon={<PackageIcon size={22} />}
          title={t('published_empty_title')}
          text={t(mayPublish ? 'published_empty_text' : 'published_empty_others')}
          action={
            mayPublish && (
              <Link className={buttonClass({ variant: 'primary' })} to={PUBLISH_PATH}>
                {t('publish')}
              </Link>
            )
          }
        />
      }
    >
      <ul className={styles.list}>
        {items.map((item) => (
          <PublishedCard key={item.plugin.plugin_key} item={item} mayPublish={mayPublish} />
        ))}
      </ul>
    </PagedList>
  );
}
