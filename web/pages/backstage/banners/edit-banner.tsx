import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { ManagedBanner } from '../../../../shared/entities/backstage.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { pictureUrl } from '../../../../shared/media.ts';
import { siteLink } from '../../../../shared/site-link.ts';
import { call } from '../../../api/client.ts';
import { useSite } from '../../../api/site-context.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { FormTextField } from '../../../ui/form-fields.tsx';
import { showProblems } from '../../../ui/form-problems.ts';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { PictureField, usePictureProblem } from '../frame/picture-field.tsx';
import { TitleField } from '../frame/title-field.tsx';
import styles from './banners-screen.module.css';

type Values = { picture: File | null; link: string; title: Texts };

/** Adds a banner, or changes one. */
export function EditBanner({ banner, onClose }: { banner: ManagedBanner | undefined; onClose: () => void }) {
  const t = useTranslations('bannerAdmin');
  const pictureProblem = usePictureProblem();
  const { language: own } = useSite();
  const queryClient = useQueryClient();
  const toast = useToast();
  const { control, formState, handleSubmit, setError } = useForm<Values>({
    defaultValues: { picture: null, link: banner?.redirect_url ?? '', title: banner?.title ?? {} },
  });
  const save = useMutation({
    mutationFn: ({ picture, link, title }: Values) =>
      call('saveBanner', {
        ...(banner && { id: banner.id }),
        redirect_url: link.trim(),
        title,
        default_lang: banner?.default_lang ?? own,
        ...(picture && { picture }),
      }),
    onSuccess: async () => {
      toast({ kind: 'success', text: t('saved') });
      await queryClient.invalidateQueries({ queryKey: ['listManagedBanners'] });
      onClose();
    },
    onError: (error) => {
      const text = pictureProblem(error);
      if (text) return showProblems(setError, [{ field: 'picture', text }]);
      if (error.reason === 'LINK_INVALID')
        return showProblems(setError, [{ field: 'link', text: t('link_wrong') }]);
      showProblems(setError, [{ field: 'root', text: t('failed') }]);
    },
  });
  const submit = (): void => void handleSubmit((values) => save.mutate(values))();
  return (
    <ConfirmDialog
      open
      title={t(banner ? 'edit_title' : 'add_title')}
      confirmLabel={t('save')}
      cancelLabel={t('cancel')}
      busy={save.isPending}
      error={formState.errors.root?.message}
      onConfirm={submit}
      onClose={onClose}
    >
      <div className={styles.form}>
        <PictureField
          control={control}
          name="picture"
          label={t('picture')}
          hint={t('picture_hint')}
          kept={banner?.picture ? pictureUrl(banner.picture.key, banner.picture.widths.at(-1) ?? 320) : null}
          missing={t('picture_missing')}
        />
        <FormTextField
          control={control}
          name="link"
          check={(link) =>
            link.trim() !== '' && siteLink(link.trim()) === null ? t('link_wrong') : undefined
          }
          label={t('link')}
          hint={t('link_hint')}
          inputMode="url"
          spellCheck={false}
          onEnter={submit}
        />
        <TitleField
          control={control}
          name="title"
          label={t('banner_title')}
          hint={t('banner_title_hint')}
          languagesLabel={t('title_languages')}
          writtenLabel={t('written')}
          first={banner?.default_lang ?? own}
        />
      </div>
    </ConfirmDialog>
  );
}
