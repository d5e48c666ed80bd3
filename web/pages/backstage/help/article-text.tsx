import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import ImageIcon from 'lucide-react/icons/image';
import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router-dom';
import { useDebounce } from 'use-debounce';
import { useTranslations } from 'use-intl';
import { HELP_LIMITS, IMAGE_TYPES, SEARCH_DELAY } from '../../../../shared/constants.ts';
import type { Language } from '../../../../shared/languages.ts';
import { call } from '../../../api/client.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { classNames } from '../../../ui/class-names.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { FileDrop } from '../../../ui/file-drop/file-drop.tsx';
import { Select } from '../../../ui/select/select.tsx';
import { Spinner } from '../../../ui/spinner/spinner.tsx';
import { TextArea } from '../../../ui/text-area/text-area.tsx';
import { TextBlocks } from '../../../ui/text-blocks/text-blocks.tsx';
import { usePictureTexts } from '../frame/picture-field.tsx';
import { useNameOf } from './article-list.tsx';
import styles from './help-screen.module.css';

type FieldProps = {
  value: string;
  onChange: (text: string) => void;
  lang: Language;
  error: string | undefined;
};

/** A Markdown field; an added picture is uploaded and inserted at the cursor. */
export function MarkdownField({ value, onChange, lang, error }: FieldProps) {
  const t = useTranslations('helpAdmin');
  const backstage = useTranslations('backstage');
  const pictureTexts = usePictureTexts();
  const box = useRef<HTMLDivElement>(null);
  /** Selection to restore once its text is rendered. */
  const selection = useRef<readonly [start: number, end: number]>(undefined);
  const area = (): HTMLTextAreaElement | null => box.current?.querySelector('textarea') ?? null;
  const upload = useMutation({
    mutationFn: (picture: File) => call('uploadHelpPicture', { picture }),
    onSuccess: ({ url }) => {
      const text = area()?.value ?? value;
      const cursor = area()?.selectionStart ?? text.length;
      const before = text.slice(0, cursor);
      const gap = before === '' || before.endsWith('\n') ? '' : '\n\n';
      const about = t('picture_about');
      const start = cursor + gap.length + '!['.length;
      selection.current = [start, start + about.length];
      onChange(`${before}${gap}![${about}](${url})\n${text.slice(cursor)}`);
    },
  });
  useEffect(() => {
    if (!selection.current) return;
    const [start, end] = selection.current;
    selection.current = undefined;
    const field = box.current?.querySelector('textarea');
    field?.focus();
    field?.setSelectionRange(start, end);
  });
  return (
    <div ref={box} className={classNames(styles.fields, styles.markdown)}>
      <TextArea
        label={t('text')}
        hint={t('text_hint')}
        value={value}
        onChange={onChange}
        lang={lang}
        rows={16}
        maxLength={HELP_LIMITS.body}
        error={error}
      />
      <FileDrop
        label={t('picture')}
        prompt={backstage('picture_prompt')}
        accept={IMAGE_TYPES}
        icon={upload.isPending ? <Spinner /> : <ImageIcon size={20} />}
        hint={t('picture_hint')}
        error={upload.error ? (pictureTexts[upload.error.reason ?? ''] ?? t('picture_failed')) : undefined}
        disabled={upload.isPending}
        onFiles={([file]) => file && upload.mutate(file)}
      />
    </div>
  );
}

/** A preview of the article, updated once typing pauses. */
export function ArticlePreview({ title, body, lang }: { title: string; body: string; lang: Language }) {
  const t = useTranslations('helpAdmin');
  const [rested] = useDebounce(body, SEARCH_DELAY);
  const isEmpty = rested.trim() === '';
  const { data, isError } = useQuery({
    ...queryOptionsOf('previewHelpArticle', { body: rested }),
    enabled: !isEmpty && [...rested].length <= HELP_LIMITS.body,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  return (
    <section className={styles.preview} aria-label={t('preview')}>
      <h2 className={styles.previewTitle}>{t('preview')}</h2>
      {title && (
        <p className={styles.previewName} lang={lang}>
          {title}
        </p>
      )}
      {isError ? (
        <p className={styles.changed}>{t('preview_failed')}</p>
      ) : isEmpty || !data ? (
        <p className={styles.changed}>{t('preview_empty')}</p>
      ) : (
        <TextBlocks blocks={data.blocks} lang={lang} />
      )}
    </section>
  );
}

const NONE = 'none';

type ChoiceProps = { value: number | null; onChange: (id: number | null) => void };

/** The category of an article, or none. */
export function CategoryChoice({ value, onChange }: ChoiceProps) {
  const t = useTranslations('helpAdmin');
  const nameOf = useNameOf();
  const categories = useQuery(queryOptionsOf('listManagedCategories', {})).data?.category_list ?? [];
  return (
    <Select
      label={t('category')}
      value={String(value ?? NONE)}
      onChange={(chosen) => onChange(chosen === NONE ? null : Number(chosen))}
      options={[
        { value: NONE, label: t('no_category') },
        ...categories.map(({ id, name, default_lang }) => ({
          value: String(id),
          label: nameOf(name, default_lang),
        })),
      ]}
    />
  );
}

/** Confirms before unsaved changes are lost: `isActive` within the site, `warns` when the browser leaves it. */
export function LeaveArticle({ isActive, warns }: { isActive: () => boolean; warns: boolean }) {
  const t = useTranslations('helpAdmin');
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isActive() && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!warns) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [warns]);
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title={t('leave_title')}
      confirmLabel={t('leave')}
      cancelLabel={t('stay')}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      {t('leave_text')}
    </ConfirmDialog>
  );
}
