import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ROLE_USER } from '../../../shared/constants.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { installedQuery, ownPluginsQuery } from '../../features/own-plugins/own-plugins-queries.ts';
import { TokenPanel } from '../../features/tokens/token-panel.tsx';
import { ListTotal } from '../../layout/list-total.tsx';
import { Link } from '../../routing/link.tsx';
import { useSearchParams } from '../../routing/use-search-params.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { UploadIcon } from '../../ui/icon/account-icons.tsx';
import { PlusIcon } from '../../ui/icon/sign-icons.tsx';
import { PageHeader } from '../../ui/page-header/page-header.tsx';
import { Tabs } from '../../ui/tabs/tabs.tsx';
import { BATCH_PATH, PUBLISH_PATH } from '../publish/publish-paths.ts';
import { InstalledPanel } from './installed-panel.tsx';
import styles from './my-plugins.module.css';
import { PublishedPanel } from './published-panel.tsx';
import { ReportsPanel } from './reports-panel.tsx';

const TABS = ['published', 'installed', 'tokens', 'reports'] as const;
type TabId = (typeof TABS)[number];

const TAB = 'tab';
const PANEL = 'my-plugins-panel';

/** The page once it is known who looks: whoever may not publish has what he installed before him. */
export function MyPlugins() {
  const t = useTranslations('myPlugins');
  const [query, setQuery] = useSearchParams();
  const viewer = useQuery(queryOptionsOf('verifyUser', {})).data;
  const own = useInfiniteQuery(ownPluginsQuery());
  const installed = useInfiniteQuery(installedQuery());
  const mayPublish = viewer?.may_publish ?? false;
  const offered = TABS.filter((id) => id !== 'tokens' || mayPublish);
  const fallback: TabId = mayPublish ? 'published' : 'installed';
  const tab = offered.find((id) => id === query.get(TAB)) ?? fallback;
  const choose = (next: TabId): void =>
    setQuery(next === fallback ? {} : { [TAB]: next }, { replace: true, preventScrollReset: true });
  const counts: Readonly<Record<TabId, ReactNode>> = {
    published: own.data?.pages[0] && <ListTotal of={own.data.pages[0]} />,
    installed: installed.data?.pages[0] && <ListTotal of={installed.data.pages[0]} />,
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
        {tab === 'installed' && <InstalledPanel query={installed} />}
        {tab === 'tokens' && <TokenPanel plugins={plugins} />}
        {tab === 'reports' && <ReportsPanel />}
      </div>
    </div>
  );
}
