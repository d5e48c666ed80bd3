import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ManagedBanner } from '../../../../shared/entities/backstage.ts';
import { call } from '../../../api/client.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { Button } from '../../../ui/button/button.tsx';
import { BannerIcon } from '../../../ui/icon/backstage-icons.tsx';
import { PlusIcon } from '../../../ui/icon/sign-icons.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { PagedList } from '../../paged-list.tsx';
import { DeleteDialog } from '../frame/delete-dialog.tsx';
import { BannerOrder } from './banner-order.tsx';
import { EditBanner } from './edit-banner.tsx';
import { useBannerTitle } from './use-banner-title.ts';

type Task = { kind: 'add' } | { kind: 'edit' | 'delete'; banner: ManagedBanner };

/** Banners of the home page: their order, pictures, titles and links. */
export function BannersScreen() {
  const t = useTranslations('bannerAdmin');
  const titleOf = useBannerTitle();
  const queryClient = useQueryClient();
  const [task, setTask] = useState<Task>();
  const query = useQuery(queryOptionsOf('listManagedBanners', {}));
  const banners = query.data?.banner_list ?? [];
  const close = (): void => setTask(undefined);
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          <Button variant="primary" onClick={() => setTask({ kind: 'add' })}>
            <PlusIcon />
            {t('add')}
          </Button>
        }
      />
      <PagedList
        query={query}
        isEmpty={banners.length === 0}
        empty={<Notice icon={<BannerIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
      >
        <BannerOrder
          banners={banners}
          onEdit={(banner) => setTask({ kind: 'edit', banner })}
          onDelete={(banner) => setTask({ kind: 'delete', banner })}
        />
      </PagedList>
      {task && task.kind !== 'delete' && (
        <EditBanner banner={task.kind === 'edit' ? task.banner : undefined} onClose={close} />
      )}
      {task?.kind === 'delete' && (
        <DeleteDialog
          texts="bannerAdmin"
          name={titleOf(task.banner)}
          remove={() => call('deleteBanner', { id: task.banner.id })}
          refresh={() => queryClient.invalidateQueries({ queryKey: ['listManagedBanners'] })}
          onClose={close}
        >
          {t('delete_text')}
        </DeleteDialog>
      )}
    </>
  );
}
