import { useQuery } from '@tanstack/react-query';
import PanelTopIcon from 'lucide-react/icons/panel-top';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { ManagedBanner } from '../../../shared/entities/backstage.ts';
import { type Texts, textIn } from '../../../shared/languages.ts';
import { pictureUrl } from '../../../shared/media.ts';
import { siteLink } from '../../../shared/site-link.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { useSite } from '../../api/site-context.ts';
import { ItemRow } from '../../features/sorting/item-row.tsx';
import { Badge } from '../../ui/badge/badge.tsx';
import { FormTextField } from '../../ui/form-fields.tsx';
import { Notice } from '../../ui/notice/notice.tsx';
import { PagedList } from '../paged-list.tsx';
import { DeleteDialog, EditDialog } from './frame/edit-dialogs.tsx';
import { ItemActions, ItemsHeader, OrderedItems, useItemTask } from './frame/item-list.tsx';
import { PictureField } from './frame/picture-field.tsx';
import { TitleField } from './frame/title-field.tsx';

/** Banners of the home page: order, pictures, titles and links. */
export function BannersScreen() {
  const t = useTranslations('bannerAdmin');
  const { language } = useSite();
  const query = useQuery(queryOptionsOf('listManagedBanners', {}));
  const banners = query.data?.banner_list ?? [];
  const { edited, deleted, add, edit, remove, close } = useItemTask<ManagedBanner>();
  const nameOf = ({ id, title, default_lang }: ManagedBanner): string =>
    textIn(title, language, default_lang).text || t('untitled', { id: String(id) });
  return (
    <>
      <ItemsHeader texts="bannerAdmin" onAdd={add} />
      <PagedList
        query={query}
        isEmpty={banners.length === 0}
        empty={<Notice icon={<PanelTopIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
      >
        <OrderedItems
          label={t('title')}
          order={{ list: 'listManagedBanners', rows: 'banner_list', save: 'orderBanners' }}
          items={banners}
          nameOf={nameOf}
        >
          {banners.map((banner) => (
            <ItemRow
              key={banner.id}
              sort={{ id: banner.id, name: nameOf(banner) }}
              picture={banner.picture}
              title={nameOf(banner)}
              facts={banner.redirect_url || t('no_link')}
              status={
                <Badge tone={banner.is_shown ? 'positive' : 'warning'} dot>
                  {t(banner.is_shown ? 'shown' : 'not_shown')}
                </Badge>
              }
              actions={
                <ItemActions
                  name={nameOf(banner)}
                  onEdit={() => edit(banner)}
                  onDelete={() => remove(banner)}
                />
              }
            />
          ))}
        </OrderedItems>
      </PagedList>
      {edited && <EditBanner banner={edited.item} onClose={close} />}
      {deleted && (
        <DeleteDialog
          texts="bannerAdmin"
          name={nameOf(deleted)}
          operation="deleteBanner"
          payload={{ id: deleted.id }}
          onClose={close}
        >
          {t('delete_text')}
        </DeleteDialog>
      )}
    </>
  );
}

type Values = { picture: File | null; link: string; title: Texts };

function EditBanner({ banner, onClose }: { banner: ManagedBanner | undefined; onClose: () => void }) {
  const t = useTranslations('bannerAdmin');
  const common = useTranslations('common');
  const { language: own } = useSite();
  const form = useForm<Values>({
    defaultValues: { picture: null, link: banner?.redirect_url ?? '', title: banner?.title ?? {} },
  });
  const { control } = form;
  return (
    <EditDialog
      title={t(banner ? 'edit_title' : 'add_title')}
      form={form}
      operation="saveBanner"
      payload={({ picture, link, title }) => ({
        ...(banner && { id: banner.id }),
        redirect_url: link.trim(),
        title,
        default_lang: banner?.default_lang ?? own,
        ...(picture && { picture }),
      })}
      picture="picture"
      errorMessages={{ LINK_INVALID: { at: 'link', text: common('link_wrong') } }}
      onClose={onClose}
    >
      <PictureField
        control={control}
        name="picture"
        label={common('picture')}
        hint={t('picture_hint')}
        stored={banner?.picture ? pictureUrl(banner.picture.key, banner.picture.widths.at(-1) ?? 320) : null}
        missing={common('picture_missing')}
      />
      <FormTextField
        control={control}
        name="link"
        check={(link) =>
          link.trim() !== '' && siteLink(link.trim()) === null ? common('link_wrong') : undefined
        }
        label={common('link')}
        hint={t('link_hint')}
        inputMode="url"
        spellCheck={false}
      />
      <TitleField
        control={control}
        name="title"
        label={t('banner_title')}
        hint={t('banner_title_hint')}
        languagesLabel={t('title_languages')}
        writtenLabel={common('written')}
        first={banner?.default_lang ?? own}
      />
    </EditDialog>
  );
}
