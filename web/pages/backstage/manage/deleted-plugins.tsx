import { useInfiniteQuery } from '@tanstack/react-query';
import TrashIcon from 'lucide-react/icons/trash';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ManagedPlugin } from '../../../../shared/entities/backstage.ts';
import { ItemRow } from '../../../features/sorting/item-row.tsx';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PagedList } from '../../paged-list.tsx';
import styles from './manage.module.css';
import { deletedQuery } from './managed-query.ts';
import { ManagedPluginCell } from './managed-row.tsx';
import { WithdrawalDialog } from './withdrawal-dialog.tsx';

/** Deleted plugins, which those who have installed them still get until they are withdrawn. */
export function DeletedPlugins() {
  const t = useTranslations('manage');
  const query = useInfiniteQuery(deletedQuery());
  const [chosen, setChosen] = useState<ManagedPlugin>();
  const plugins = query.data?.pages.flatMap((page) => page.plugin_list) ?? [];
  return (
    <>
      <p className={styles.lead}>{t('deleted_lead')}</p>
      <PagedList
        query={query}
        isEmpty={plugins.length === 0}
        empty={
          <Notice icon={<TrashIcon size={22} />} title={t('deleted_empty')} text={t('deleted_empty_text')} />
        }
      >
        <ul className={styles.deleted}>
          {plugins.map((managed) => (
            <li key={managed.plugin.plugin_key}>
              <ItemRow
                body={<ManagedPluginCell managed={managed} />}
                status={
                  managed.withdrawal && (
                    <Badge tone="warning" dot>
                      {t('is_withdrawn')}
                    </Badge>
                  )
                }
                actions={
                  <Button size="s" onClick={() => setChosen(managed)}>
                    {t('withdrawal')}
                  </Button>
                }
              />
            </li>
          ))}
        </ul>
      </PagedList>
      {chosen && <WithdrawalDialog managed={chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
}
