import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDebounce } from 'use-debounce';
import { useTranslations } from 'use-intl';
import { DESCRIPTION_FORMATS, SEARCH_DELAY, TEXT_LIMITS } from '../../../../../shared/constants.ts';
import { queryOptionsOf } from '../../../../api/queries.ts';
import { RadioGroup } from '../../../../ui/radio-group/radio-group.tsx';
import { TextArea } from '../../../../ui/text-area/text-area.tsx';
import { TextBlocks } from '../../../../ui/text-blocks/text-blocks.tsx';
import { write, writeText } from '../form-state.ts';
import { useForm } from '../use-form.ts';
import styles from './description-field.module.css';
import { FormField } from './section.tsx';

/** The description in the current language; with a preview if it is written in Markdown. */
export function DescriptionField() {
  const t = useTranslations('publish');
  const { state, rules, change, textProblem } = useForm();
  const { values, language } = state;
  const text = values.description[language] ?? '';
  const isMarkdown = values.description_format === 'markdown';
  return (
    <>
      {(rules?.has_facts || isMarkdown) && (
        <FormField name="description_format">
          <RadioGroup
            label={t('description_format')}
            inline
            options={DESCRIPTION_FORMATS.map((value) => ({ value, label: t(`format_${value}`) }))}
            value={values.description_format}
            onChange={(format) => change((now) => write(now, { description_format: format }))}
          />
        </FormField>
      )}
      <FormField name="description">
        <div className={isMarkdown ? styles.pair : undefined}>
          <TextArea
            label={t('description')}
            hint={t(isMarkdown ? 'markdown_hint' : 'description_hint')}
            lang={language}
            value={text}
            onChange={(next) => change((now) => writeText(now, 'description', next))}
            error={textProblem('description')}
            required={language === values.default_lang}
            maxLength={TEXT_LIMITS.description}
            rows={7}
          />
          {isMarkdown && <DescriptionPreview text={text} lang={language} />}
        </div>
      </FormField>
    </>
  );
}

/** The description as its page will show it, updated once typing pauses. */
function DescriptionPreview({ text, lang }: { text: string; lang: string }) {
  const t = useTranslations('publish');
  const [rested] = useDebounce(text, SEARCH_DELAY);
  const isEmpty = rested.trim() === '';
  const { data, isError } = useQuery({
    ...queryOptionsOf('previewDescription', { description: rested }),
    enabled: !isEmpty && [...rested].length <= TEXT_LIMITS.description,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  return (
    <section className={styles.preview} aria-label={t('markdown_preview')}>
      {isError ? (
        <p className={styles.note}>{t('markdown_failed')}</p>
      ) : isEmpty || !data ? (
        <p className={styles.note}>{t('markdown_empty')}</p>
      ) : (
        <TextBlocks blocks={data.blocks} lang={lang} isByUser />
      )}
    </section>
  );
}
