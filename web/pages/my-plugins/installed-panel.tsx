import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import { installedQuery } from '../../features/own-plugins/own-plugins-queries.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { FramedRows } from '../../ui/framed-rows/framed-rows.tsx';
import { InstallIcon } from '../../ui/icon/action-icons.tsx';
import { Notice } from '../../ui/notice/notice.tsx';
import { PagedList } from '../paged-list.tsx';
import { InstalledRow } from './installed-row.tsx';

/** What the viewer has installed, newest first. */
export function InstalledPanel() {
  const t = useTranslations('myPlugins');
  const query = useInfiniteQuery(installedQuery());
  const items = query.data?.pages.flatMap((page) => page.plugin_list) ?? [];
  return (
    <PagedList
      query={query}
      places={3}
      isEmpty={items.length === 0}
      empty={
        <Notice
          icon={<InstallIcon size={22} />}
          title={t('installed_empty_title')}
          text={t('installed_empty_text')}
          action={
            <Link className={buttonClass({ variant: 'primary' })} to={BASE_PATH}>
              {t('browse')}
            </Link>
          }
        />
      }
    >
      <FramedRows>
        {items.map((item) => (
          <InstalledRow key={item.plugin.plugin_key} item={item} />
        ))}
      </FramedRows>
    </PagedList>
  );
}
