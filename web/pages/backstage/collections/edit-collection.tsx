import { Controller, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { COLLECTION_LIMITS, COLLECTION_SLUG } from '../../../../shared/constants.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { pictureUrl } from '../../../../shared/media.ts';
import type { ManagedCollection } from '../../../../shared/routes/editors-collection.ts';
import { useSite } from '../../../api/site-context.ts';
import { Checkbox } from '../../../ui/checkbox/checkbox.tsx';
import { FormTextField } from '../../../ui/form-fields.tsx';
import { EditDialog } from '../frame/edit-dialogs.tsx';
import { PictureField } from '../frame/picture-field.tsx';
import { TitleField } from '../frame/title-field.tsx';

type Values = { slug: string; title: Texts; description: Texts; picture: File | null; noPicture: boolean };

const SLUG = new RegExp(COLLECTION_SLUG.pattern);

type Props = { /** Absent for a new one. */ collection: ManagedCollection | undefined; onClose: () => void };

/** Texts, cover and address of a collection; the address of an existing one stays. */
export function EditCollection({ collection, onClose }: Props) {
  const t = useTranslations('collectionAdmin');
  const common = useTranslations('common');
  const { language } = useSite();
  const form = useForm<Values>({
    defaultValues: {
      slug: '',
      title: collection?.title ?? {},
      description: collection?.description ?? {},
      picture: null,
      noPicture: false,
    },
  });
  const { control } = form;
  const first = collection?.default_lang ?? language;
  const stored = collection?.picture;
  const { max } = COLLECTION_SLUG;
  return (
    <EditDialog
      title={t(collection ? 'edit_title' : 'add_title')}
      form={form}
      operation="saveManagedCollection"
      payload={({ slug, title, description, picture, noPicture }) => ({
        ...(collection ? { id: collection.id } : { slug: slug.trim() }),
        title,
        description,
        default_lang: first,
        ...(picture && { picture }),
        ...(noPicture && !picture && { remove_picture: true }),
      })}
      picture="picture"
      errorMessages={{
        COLLECTION_ADDRESS_TAKEN: { at: 'slug', text: t('address_taken') },
        COLLECTION_LIMIT_REACHED: t('limit'),
      }}
      onClose={onClose}
    >
      <TitleField
        control={control}
        name="title"
        label={t('collection_title')}
        missing={t('title_missing')}
        limit={COLLECTION_LIMITS.title}
        languagesLabel={t('title_languages')}
        writtenLabel={common('written')}
        first={first}
      />
      {!collection && (
        <FormTextField
          control={control}
          name="slug"
          check={(slug) =>
            SLUG.test(slug.trim()) && slug.trim().length <= max ? undefined : t('address_wrong', { max })
          }
          label={t('address')}
          hint={t('address_hint')}
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <TitleField
        control={control}
        name="description"
        isLong
        label={t('description')}
        limit={COLLECTION_LIMITS.description}
        languagesLabel={t('description_languages')}
        writtenLabel={common('written')}
        first={first}
      />
      <PictureField
        control={control}
        name="picture"
        label={common('picture')}
        hint={t('picture_hint')}
        stored={stored ? pictureUrl(stored.key, stored.widths[0] ?? stored.width) : null}
      />
      {stored && (
        <Controller
          control={control}
          name="noPicture"
          render={({ field }) => (
            <Checkbox label={t('no_picture')} checked={field.value} onChange={field.onChange} />
          )}
        />
      )}
    </EditDialog>
  );
}
