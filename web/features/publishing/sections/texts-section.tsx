import { useTranslations } from 'use-intl';
import { LANGUAGE_NAMES, LANGUAGES } from '../../../../shared/languages.ts';
import { Select } from '../../../ui/select/select.tsx';
import { useFormFields } from '../form-contexts.tsx';
import { LISTING_TEXTS } from '../values/values.ts';
import styles from './section.module.css';
import { Section } from './section.tsx';
import { LanguagePanel, TranslatedField } from './translated-fields.tsx';

const OPTIONS = LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value], lang: value }));

/** What the plugin is called and does, in one language or several. */
export function TextsSection() {
  const t = useTranslations('publish');
  const { values, setValue, setLanguage } = useFormFields();
  return (
    <Section
      title={t('texts')}
      lead={t('texts_lead')}
      aside={
        <Select
          className={styles.language}
          size="small"
          label={t('default_lang')}
          options={OPTIONS}
          value={values.default_lang}
          onChange={(chosen) => {
            setValue('default_lang', chosen);
            setLanguage(chosen);
          }}
        />
      }
    >
      <LanguagePanel names={LISTING_TEXTS} className={styles.fields}>
        <TranslatedField name="name" />
        <TranslatedField name="intro" hint={t('intro_hint')} />
        <TranslatedField name="description" hint={t('description_hint')} rows={7} />
      </LanguagePanel>
    </Section>
  );
}
