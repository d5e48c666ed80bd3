import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { IMAGE_BYTES_MAX } from '../../../../shared/constants.ts';
import type { ManagedBanner } from '../../../../shared/entities/backstage.ts';
import { pictureUrl } from '../../../../shared/media.ts';
import { siteLink } from '../../../../shared/site-link.ts';
import { isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { useSite } from '../../../api/site-context.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { PictureField, pictureProblem } from '../frame/picture-field.tsx';
import { TitleField } from '../frame/title-field.tsx';
import styles from './banners-screen.module.css';

/** Adds a banner, or changes one. */
export function EditBanner({ banner, onClose }: { banner: ManagedBanner | undefined; onClose: () => void }) {
  const t = useTranslations('bannerAdmin');
  const backstage = useTranslations('backstage');
  const { language: own } = useSite();
  const [link, setLink] = useState(banner?.redirect_url ?? '');
  const [title, setTitle] = useState(banner?.title ?? {});
  const [picture, setPicture] = useState<File | null>(null);
  const [checked, setChecked] = useState(false);
  const queryClient = useQueryClient();
  const toast = useToast();
  const save = useMutation({
    mutationFn: () =>
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
  });
  const isLinkWrong =
    (link.trim() !== '' && siteLink(link.trim()) === null) ||
    (isApiError(save.error) && save.error.reason === 'LINK_INVALID');
  const missesPicture = !banner?.picture && !picture;
  const submit = (): void => {
    setChecked(true);
    if (!isLinkWrong && !missesPicture) save.mutate();
  };
  const problem = pictureProblem(save.error);
  const size = IMAGE_BYTES_MAX / 1024 / 1024;
  return (
    <ConfirmDialog
      open
      title={t(banner ? 'edit_title' : 'add_title')}
      confirmLabel={t('save')}
      cancelLabel={t('cancel')}
      busy={save.isPending}
      error={save.error && !problem && !isLinkWrong ? t('failed') : undefined}
      onConfirm={submit}
      onClose={onClose}
    >
      <div className={styles.form}>
        <PictureField
          label={t('picture')}
          hint={t('picture_hint')}
          kept={banner?.picture ? pictureUrl(banner.picture.key, banner.picture.widths.at(-1) ?? 320) : null}
          chosen={picture}
          onChoose={(file) => {
            setPicture(file);
            save.reset();
          }}
          error={
            problem
              ? backstage(problem, { size })
              : checked && missesPicture
                ? t('picture_missing')
                : undefined
          }
        />
        <TextField
          label={t('link')}
          hint={t('link_hint')}
          value={link}
          onValueChange={(value) => {
            setLink(value);
            save.reset();
          }}
          inputMode="url"
          spellCheck={false}
          error={checked && isLinkWrong ? t('link_wrong') : undefined}
          onEnter={submit}
        />
        <TitleField
          label={t('banner_title')}
          hint={t('banner_title_hint')}
          languagesLabel={t('title_languages')}
          writtenLabel={t('written')}
          value={title}
          onChange={setTitle}
          first={banner?.default_lang ?? own}
        />
      </div>
    </ConfirmDialog>
  );
}
