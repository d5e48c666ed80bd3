import { keepPreviousData, useQuery } from '@tanstack/react-query';
import ImageIcon from 'lucide-react/icons/image';
import { useEffect, useRef } from 'react';
import { useDebounce } from 'use-debounce';
import { useTranslations } from 'use-intl';
import { HELP_LIMITS, IMAGE_TYPES, SEARCH_DELAY } from '../../../../shared/constants.ts';
import type { Language } from '../../../../shared/languages.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { classNames } from '../../../ui/class-names.ts';
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
  /** The text of this language now, also after the field has made way for another language's. */
  readText: () => string;
  onChange: (text: string) => void;
  lang: Language;
  error: string | undefined;
};

/** A Markdown field; an added picture is uploaded and inserted at the cursor. */
export function MarkdownField({ value, readText, onChange, lang, error }: FieldProps) {
  const t = useTranslations('helpAdmin');
  const backstage = useTranslations('backstage');
  const pictureTexts = usePictureTexts();
  const box = useRef<HTMLDivElement>(null);
  /** Selection to restore once its text is rendered. */
  const selection = useRef<readonly [start: number, end: number]>(undefined);
  const area = (): HTMLTextAreaElement | null => box.current?.querySelector('textarea') ?? null;
  const upload = useOperation('uploadHelpPicture', (picture: File) => ({ picture }), {
    onSuccess: ({ url }) => {
      const text = readText();
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
