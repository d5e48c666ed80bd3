import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import type { DataFor } from '../../api/client.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { PackageIcon } from '../../ui/icon/account-icons.tsx';
import { Notice } from '../../ui/notice/notice.tsx';
import { PagedList } from '../paged-list.tsx';
import { PUBLISH_PATH } from '../publish/publish-paths.ts';
import styles from './my-plugins.module.css';
import { PublishedCard } from './published-card.tsx';

type PublishedPanelProps = {
  query: UseInfiniteQueryResult<InfiniteData<DataFor<'listOwnPlugins'>>>;
  mayPublish: boolean;
};

/** The viewer's own plugins, each as it was handed in last. */
export function PublishedPanel({ query, mayPublish }: PublishedPanelProps) {
  const t = useTranslations('myPlugins');
  const items = query.data?.pages.flatMap((page) => page.plugin_list) ?? [];
  return (
    <PagedList
      query={query}
      places={3}
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
