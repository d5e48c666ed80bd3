import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../../shared/constants.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '../../../../shared/languages.ts';
import { Select } from '../../../ui/select/select.tsx';
import { TextArea } from '../../../ui/text-area/text-area.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { FormField } from '../fields/form-field.tsx';
import { LanguageTabs } from '../fields/language-tabs.tsx';
import { useListingForm } from '../publish-form-context.ts';
import { LISTING_TEXTS } from '../values/publish-values.ts';
import { Section } from './section.tsx';
import styles from './texts-section.module.css';

const OPTIONS = LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value], lang: value }));

/** What the plugin is called and does, in one language or several. */
export function TextsSection() {
  const t = useTranslations('publish');
  const panel = useId();
  const { values, setValue, setText, language, setLanguage, textProblem } = useListingForm();
  return (
    <Section
      title={t('texts')}
      lead={t('texts_lead')}
      aside={
        <Select
          className={styles.default}
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
      <LanguageTabs label={t('languages')} names={LISTING_TEXTS} panel={panel} />
      <div id={panel} role="tabpanel" aria-label={LANGUAGE_NAMES[language]} className={styles.fields}>
        <FormField name="name">
          <TextField
            label={t('name')}
            lang={language}
            value={values.name[language] ?? ''}
            onValueChange={(text) => setText('name', text)}
            counted={TEXT_LIMITS.name}
            error={textProblem('name')}
            autoComplete="off"
            required={language === values.default_lang}
          />
        </FormField>
        <FormField name="intro">
          <TextField
            label={t('intro')}
            lang={language}
            value={values.intro[language] ?? ''}
            onValueChange={(text) => setText('intro', text)}
            counted={TEXT_LIMITS.intro}
            hint={t('intro_hint')}
            error={textProblem('intro')}
            autoComplete="off"
            required={language === values.default_lang}
          />
        </FormField>
        <FormField name="description">
          <TextArea
            label={t('description')}
            lang={language}
            value={values.description[language] ?? ''}
            onChange={(text) => setText('description', text)}
            maxLength={TEXT_LIMITS.description}
            hint={t('description_hint')}
            error={textProblem('description')}
            rows={7}
            required={language === values.default_lang}
          />
        </FormField>
      </div>
    </Section>
  );
}
