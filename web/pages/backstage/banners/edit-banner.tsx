import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { IMAGE_BYTES_MAX } from '../../../../shared/constants.ts';
import type { ManagedBanner } from '../../../../shared/entities/backstage.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../../../shared/languages.ts';
import { pictureUrl } from '../../../../shared/media.ts';
import { siteLink } from '../../../../shared/site-link.ts';
import { isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { useSite } from '../../../api/site-context.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { Tabs } from '../../../ui/tabs/tabs.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { PictureField } from '../frame/picture-field.tsx';
import { pictureProblem } from '../frame/picture-problem.ts';
import styles from './banners-screen.module.css';

/** Adds a banner, or changes one. */
export function EditBanner({ banner, onClose }: { banner: ManagedBanner | undefined; onClose: () => void }) {
  const t = useTranslations('bannerAdmin');
  const backstage = useTranslations('backstage');
  const { language: own } = useSite();
  const [link, setLink] = useState(banner?.redirect_url ?? '');
  const [title, setTitle] = useState(banner?.title ?? {});
  const [language, setLanguage] = useState<Language>(banner?.default_lang ?? own);
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
          onChoose={setPicture}
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
        <div>
          <Tabs
            label={t('title_languages')}
            value={language}
            onChange={setLanguage}
            tabs={LANGUAGES.map((id) => ({
              id,
              lang: id,
              label: LANGUAGE_NAMES[id],
              mark: title[id] ? { tone: 'done', label: t('written') } : undefined,
            }))}
          />
          <TextField
            label={t('banner_title')}
            hint={t('banner_title_hint')}
            value={title[language] ?? ''}
            onValueChange={(value) => setTitle({ ...title, [language]: value })}
            lang={language}
            maxLength={200}
          />
        </div>
      </div>
    </ConfirmDialog>
  );
}
