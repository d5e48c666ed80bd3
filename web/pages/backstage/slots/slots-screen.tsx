import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { BACKSTAGE_PAGE_SIZE } from '../../../../shared/constants.ts';
import type { ResourceSlot } from '../../../../shared/entities/site.ts';
import { infiniteQueryOptionsOf } from '../../../api/queries.ts';
import { Button } from '../../../ui/button/button.tsx';
import { CalendarIcon } from '../../../ui/icon/backstage-icons.tsx';
import { PlusIcon } from '../../../ui/icon/sign-icons.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { PagedList } from '../../paged-list.tsx';
import styles from './slots-screen.module.css';
import { SlotsTable } from './slots-table.tsx';
import { useTimeZone } from './use-time-zone.ts';

const EditSlot = lazy(async () => ({ default: (await import('./edit-slot.tsx')).EditSlot }));

/** Plugins that stand out on the home page for a time (specification sections 4 and 5). */
export function SlotsScreen() {
  const t = useTranslations('slots');
  const zone = useTimeZone();
  const [edited, setEdited] = useState<ResourceSlot | 'new'>();
  const query = useInfiniteQuery(infiniteQueryOptionsOf('listSlots', { limit: BACKSTAGE_PAGE_SIZE }));
  const slots = query.data?.pages.flatMap((page) => page.slot_list) ?? [];
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          <Button variant="primary" onClick={() => setEdited('new')}>
            <PlusIcon />
            {t('add')}
          </Button>
        }
      />
      <p className={styles.zone}>{t('zone', { zone })}</p>
      <PagedList
        query={query}
        isEmpty={slots.length === 0}
        empty={<Notice icon={<CalendarIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
      >
        <SlotsTable slots={slots} onEdit={setEdited} />
      </PagedList>
      {edited && (
        <Suspense fallback={null}>
          <EditSlot slot={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
        </Suspense>
      )}
    </>
  );
}
