import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ManagedBanner } from '../../../../shared/entities/backstage.ts';
import { textIn } from '../../../../shared/languages.ts';
import { pictureSrcset, pictureUrl } from '../../../../shared/media.ts';
import { call } from '../../../api/client.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useSite } from '../../../api/site-context.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { BannerIcon } from '../../../ui/icon/backstage-icons.tsx';
import { PlusIcon } from '../../../ui/icon/sign-icons.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { PagedList } from '../../paged-list.tsx';
import { DeleteDialog } from '../frame/delete-dialog.tsx';
import { SortableList, SortableRow } from '../frame/sortable-list.tsx';
import { useSaveOrder } from '../frame/use-save-order.ts';
import styles from './banners-screen.module.css';
import { EditBanner } from './edit-banner.tsx';

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

type Props = {
  banners: readonly ManagedBanner[];
  onEdit: (banner: ManagedBanner) => void;
  onDelete: (banner: ManagedBanner) => void;
};

/** Banners in their order, to be moved. */
function BannerOrder({ banners, onEdit, onDelete }: Props) {
  const t = useTranslations('bannerAdmin');
  const titleOf = useBannerTitle();
  const order = useSaveOrder({
    texts: 'bannerAdmin',
    list: 'listManagedBanners',
    rows: 'banner_list',
    save: 'orderBanners',
  });
  const byId = new Map<string | number, ManagedBanner>(banners.map((banner) => [banner.id, banner]));
  const nameOf = (id: string | number): string => {
    const banner = byId.get(id);
    return banner ? titleOf(banner) : '';
  };
  return (
    <SortableList
      label={t('title')}
      className={styles.list}
      ids={banners.map(({ id }) => id)}
      nameOf={nameOf}
      onOrder={(ids) => order.mutate(ids)}
    >
      {banners.map((banner) => (
        <BannerRow
          key={banner.id}
          banner={banner}
          onEdit={() => onEdit(banner)}
          onDelete={() => onDelete(banner)}
        />
      ))}
    </SortableList>
  );
}

type BannerRowProps = { banner: ManagedBanner; onEdit: () => void; onDelete: () => void };

/** One banner, with the handle by which it is moved. */
function BannerRow({ banner, onEdit, onDelete }: BannerRowProps) {
  const t = useTranslations('bannerAdmin');
  const name = useBannerTitle()(banner);
  const { picture, redirect_url, is_shown } = banner;
  return (
    <SortableRow
      id={banner.id}
      name={name}
      moveLabel={t('move', { name })}
      className={styles.row}
      orderClassName={styles.order}
    >
      {picture ? (
        <img
          className={styles.picture}
          src={pictureUrl(picture.key, picture.widths[0] ?? picture.width)}
          srcSet={pictureSrcset(picture.key, picture.widths)}
          sizes="200px"
          alt=""
        />
      ) : (
        <span className={classNames(styles.picture, styles.noPicture)}>{t('no_picture')}</span>
      )}
      <div className={styles.texts}>
        <p className={styles.name}>{name}</p>
        <p className={styles.link}>{redirect_url || t('no_link')}</p>
        {is_shown ? (
          <Badge tone="positive">{t('shown')}</Badge>
        ) : (
          <Badge tone="warning">{t('not_shown')}</Badge>
        )}
      </div>
      <div className={styles.actions}>
        <Button size="s" onClick={onEdit} aria-label={t('edit_named', { name })}>
          {t('edit')}
        </Button>
        <Button size="s" onClick={onDelete} aria-label={t('delete_named', { name })}>
          {t('delete')}
        </Button>
      </div>
    </SortableRow>
  );
}

/** What a banner is called in the language of the page; one without a title, by its number. */
function useBannerTitle(): (banner: ManagedBanner) => string {
  const t = useTranslations('bannerAdmin');
  const { language } = useSite();
  return ({ id, title, default_lang }) =>
    textIn(title, language, default_lang).text || t('untitled', { id: String(id) });
}
