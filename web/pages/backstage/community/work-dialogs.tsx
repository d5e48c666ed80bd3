import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { ManagedWork } from '../../../../shared/entities/backstage.ts';
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

type Values = {
  picture: File | null;
  title: Texts;
  author: string;
  link: string;
  likes: string;
  views: string;
};

/** Adds a work, or changes one. */
export function EditWork({ work, onClose }: { work: ManagedWork | undefined; onClose: () => void }) {
  const t = useTranslations('featuredAdmin');
  const pictureProblem = usePictureProblem();
  const { language: own } = useSite();
  const toast = useToast();
  const worksChanged = useWorksChanged();
  const { control, formState, handleSubmit, setError } = useForm<Values>({
    defaultValues: {
      picture: null,
      title: work?.title ?? {},
      author: work?.author ?? '',
      link: work?.url ?? '',
      likes: String(work?.like_num ?? 0),
      views: String(work?.view_num ?? 0),
    },
  });
  const save = useMutation({
    mutationFn: ({ picture, title, author, link, likes, views }: Values) => {
      const [like_num, view_num] = [typedCount(likes), typedCount(views)];
      return call('saveWork', {
        ...(work && { id: work.id }),
        title,
        default_lang: work?.default_lang ?? own,
        author: author.trim(),
        url: link.trim(),
        ...(like_num !== undefined && { like_num }),
        ...(view_num !== undefined && { view_num }),
        ...(picture && { picture }),
      });
    },
    onSuccess: async () => {
      toast({ kind: 'success', text: t('saved') });
      await worksChanged();
      onClose();
    },
    onError: (error) => {
      const text = pictureProblem(error);
      if (text) return showProblems(setError, [{ field: 'picture', text }]);
      if (error.reason === 'LINK_INVALID')
        return showProblems(setError, [{ field: 'link', text: t('link_wrong') }]);
      const isFull = error.reason === 'WORK_LIMIT_REACHED';
      showProblems(setError, [{ field: 'root', text: t(isFull ? 'full' : 'failed') }]);
    },
  });
  const submit = (): void => void handleSubmit((values) => save.mutate(values))();
  const checkCount = (text: string) => (typedCount(text) === undefined ? t('count_wrong') : undefined);
  return (
    <ConfirmDialog
      open
      title={t(work ? 'edit_title' : 'add_title')}
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
          kept={work?.picture ? pictureUrl(work.picture.key, work.picture.widths.at(-1) ?? 320) : null}
          missing={t('picture_missing')}
        />
        <TitleField
          control={control}
          name="title"
          missing={t('title_missing')}
          label={t('work_title')}
          languagesLabel={t('title_languages')}
          writtenLabel={t('written')}
          first={work?.default_lang ?? own}
        />
        <FormTextField
          control={control}
          name="author"
          check={(author) => (author.trim() === '' ? t('author_missing') : undefined)}
          label={t('author')}
          maxLength={TEXT_LIMITS.name}
          onEnter={submit}
        />
        <FormTextField
          control={control}
          name="link"
          check={(link) => (siteLink(link.trim()) === null ? t('link_wrong') : undefined)}
          label={t('link')}
          hint={t('link_hint')}
          inputMode="url"
          spellCheck={false}
          onEnter={submit}
        />
        <div className={styles.pair}>
          <FormTextField
            control={control}
            name="likes"
            check={checkCount}
            label={t('likes')}
            inputMode="numeric"
            onEnter={submit}
          />
          <FormTextField
            control={control}
            name="views"
            check={checkCount}
            label={t('views')}
            inputMode="numeric"
            onEnter={submit}
          />
        </div>
      </div>
    </ConfirmDialog>
  );
}
