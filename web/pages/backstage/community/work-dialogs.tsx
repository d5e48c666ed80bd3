import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { IMAGE_BYTES_MAX, TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { ManagedWork } from '../../../../shared/entities/backstage.ts';
import { LANGUAGES } from '../../../../shared/languages.ts';
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
import styles from './community-screen.module.css';

const COUNT_MAX = 1_000_000_000;

/** A count as it was typed, or undefined for what is none. */
export function typedCount(text: string): number | undefined {
  const plain = text.trim();
  return /^\d{1,10}$/.test(plain) && Number(plain) <= COUNT_MAX ? Number(plain) : undefined;
}

/** Lets everything that shows works be read again. */
export function useWorksChanged(): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    await queryClient.invalidateQueries({ queryKey: ['listManagedWorks'] });
    await queryClient.invalidateQueries({ queryKey: ['listFeaturedWorks'] });
  };
}

/** Adds a work, or changes one. */
export function EditWork({ work, onClose }: { work: ManagedWork | undefined; onClose: () => void }) {
  const t = useTranslations('featuredAdmin');
  const backstage = useTranslations('backstage');
  const { language: own } = useSite();
  const [title, setTitle] = useState(work?.title ?? {});
  const [author, setAuthor] = useState(work?.author ?? '');
  const [link, setLink] = useState(work?.url ?? '');
  const [likes, setLikes] = useState(String(work?.like_num ?? 0));
  const [views, setViews] = useState(String(work?.view_num ?? 0));
  const [picture, setPicture] = useState<File | null>(null);
  const [checked, setChecked] = useState(false);
  const toast = useToast();
  const worksChanged = useWorksChanged();
  const [like_num, view_num] = [typedCount(likes), typedCount(views)];
  const save = useMutation({
    mutationFn: () =>
      call('saveWork', {
        ...(work && { id: work.id }),
        title,
        default_lang: work?.default_lang ?? own,
        author: author.trim(),
        url: link.trim(),
        ...(like_num !== undefined && { like_num }),
        ...(view_num !== undefined && { view_num }),
        ...(picture && { picture }),
      }),
    onSuccess: async () => {
      toast({ kind: 'success', text: t('saved') });
      await worksChanged();
      onClose();
    },
  });
  const reason = isApiError(save.error) ? save.error.reason : undefined;
  const isLinkWrong = siteLink(link.trim()) === null || reason === 'LINK_INVALID';
  const isUntitled = LANGUAGES.every((language) => !title[language]?.trim());
  const missesAuthor = author.trim() === '';
  const missesPicture = !work?.picture && !picture;
  const isWrong =
    isLinkWrong ||
    isUntitled ||
    missesAuthor ||
    missesPicture ||
    like_num === undefined ||
    view_num === undefined;
  const submit = (): void => {
    setChecked(true);
    if (!isWrong) save.mutate();
  };
  const changed =
    <Value,>(set: (value: Value) => void) =>
    (value: Value): void => {
      set(value);
      save.reset();
    };
  const problem = pictureProblem(save.error);
  const size = IMAGE_BYTES_MAX / 1024 / 1024;
  const wrongIf = (isIt: boolean, text: string): string | undefined => (checked && isIt ? text : undefined);
  return (
    <ConfirmDialog
      open
      title={t(work ? 'edit_title' : 'add_title')}
      confirmLabel={t('save')}
      cancelLabel={t('cancel')}
      busy={save.isPending}
      error={
        save.error && !problem && !isLinkWrong
          ? t(reason === 'WORK_LIMIT_REACHED' ? 'full' : 'failed')
          : undefined
      }
      onConfirm={submit}
      onClose={onClose}
    >
      <div className={styles.form}>
        <PictureField
          label={t('picture')}
          hint={t('picture_hint')}
          kept={work?.picture ? pictureUrl(work.picture.key, work.picture.widths.at(-1) ?? 320) : null}
          chosen={picture}
          onChoose={changed(setPicture)}
          error={problem ? backstage(problem, { size }) : wrongIf(missesPicture, t('picture_missing'))}
        />
        <TitleField
          label={t('work_title')}
          languagesLabel={t('title_languages')}
          writtenLabel={t('written')}
          error={wrongIf(isUntitled, t('title_missing'))}
          value={title}
          onChange={changed(setTitle)}
          first={work?.default_lang ?? own}
        />
        <TextField
          label={t('author')}
          value={author}
          onValueChange={changed(setAuthor)}
          maxLength={TEXT_LIMITS.name}
          error={wrongIf(missesAuthor, t('author_missing'))}
          onEnter={submit}
        />
        <TextField
          label={t('link')}
          hint={t('link_hint')}
          value={link}
          onValueChange={changed(setLink)}
          inputMode="url"
          spellCheck={false}
          error={wrongIf(isLinkWrong, t('link_wrong'))}
          onEnter={submit}
        />
        <div className={styles.pair}>
          <TextField
            label={t('likes')}
            value={likes}
            onValueChange={changed(setLikes)}
            inputMode="numeric"
            error={wrongIf(like_num === undefined, t('count_wrong'))}
            onEnter={submit}
          />
          <TextField
            label={t('views')}
            value={views}
            onValueChange={changed(setViews)}
            inputMode="numeric"
            error={wrongIf(view_num === undefined, t('count_wrong'))}
            onEnter={submit}
          />
        </div>
      </div>
    </ConfirmDialog>
  );
}
