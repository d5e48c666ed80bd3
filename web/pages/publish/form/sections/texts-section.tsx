import { type ReactNode, useId } from 'react';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../../../shared/constants.ts';
import { LANGUAGE_NAMES, type Language } from '../../../../../shared/languages.ts';
import { useEditedLanguages } from '../../../../api/edited-languages.ts';
import { Select } from '../../../../ui/select/select.tsx';
import { type Tab, Tabs } from '../../../../ui/tabs/tabs.tsx';
import { TextArea } from '../../../../ui/text-area/text-area.tsx';
import { TextField } from '../../../../ui/text-field/text-field.tsx';
import { write, writeText } from '../form-state.ts';
import { useForm } from '../use-form.ts';
import { filledIn, isOptional, LISTING_TEXTS, type TextsName } from '../values.ts';
import { DescriptionField } from './description-field.tsx';
import styles from './section.module.css';
import { FormField, FormSection } from './section.tsx';

/** Name, descriptions and technical support of the plugin, in one or more languages. */
export function TextsSection() {
  const t = useTranslations('publish');
  const { state, change } = useForm();
  const { values } = state;
  const languages = useEditedLanguages(
    LISTING_TEXTS.map((name) => values[name]),
    values.default_lang,
  );
  return (
    <FormSection
      title={t('texts')}
      lead={t('texts_lead')}
      aside={
        <Select
          className={styles.language}
          size="small"
          label={t('default_lang')}
          options={languages.map((value) => ({ value, label: LANGUAGE_NAMES[value], lang: value }))}
          value={values.default_lang}
          onChange={(language) => change((now) => ({ ...write(now, { default_lang: language }), language }))}
        />
      }
    >
      <LanguagePanel names={LISTING_TEXTS} className={styles.fields}>
        <TranslatedField name="name" />
        <TranslatedField name="intro" hint={t('intro_hint')} />
        <DescriptionField />
        <TranslatedField name="support" hint={t('support_hint')} rows={2} />
      </LanguagePanel>
    </FormSection>
  );
}

type LanguagePanelProps = {
  names: readonly TextsName[];
  className?: string | undefined;
  children: ReactNode;
};

/** Translated fields with a tab per language; a dot marks languages with text or problems. */
export function LanguagePanel({ names, className, children }: LanguagePanelProps) {
  const t = useTranslations('publish');
  const panel = useId();
  const { state, change, problems } = useForm();
  const { values, language } = state;
  const languages = useEditedLanguages(
    names.map((name) => values[name]),
    values.default_lang,
  );
  const markOf = (id: Language): Tab<Language>['mark'] => {
    if (names.some((name) => problems.some(({ pointer }) => pointer === `/${name}/${id}`)))
      return { tone: 'wrong', label: t('language_wrong') };
    const filled = filledIn(values, names, id);
    if (filled === 'none') return undefined;
    return { tone: filled === 'all' ? 'done' : 'begun', label: t(`language_${filled}`) };
  };
  return (
    <>
      <Tabs
        label={t('languages')}
        tabs={languages.map((id) => ({ id, label: LANGUAGE_NAMES[id], lang: id, mark: markOf(id) }))}
        value={language}
        onChange={(next) => change((now) => ({ ...now, language: next }))}
        panel={panel}
      />
      <div id={panel} role="tabpanel" aria-label={LANGUAGE_NAMES[language]} className={className}>
        {children}
      </div>
    </>
  );
}

type TranslatedFieldProps = {
  name: TextsName;
  hint?: string;
  /** Initial number of lines; a single-line field without. */
  rows?: number;
};

/** A text in the current language; the plugin's own language is required, unless the field is optional. */
export function TranslatedField({ name, hint, rows }: TranslatedFieldProps) {
  const t = useTranslations('publish');
  const form = useTranslations('form');
  const { state, change, textProblem } = useForm();
  const { values, language } = state;
  const shared = {
    label: t(name),
    hint,
    lang: language,
    value: values[name][language] ?? '',
    error: textProblem(name),
    required: language === values.default_lang && !isOptional(name),
  };
  const write = (text: string): void => change((now) => writeText(now, name, text));
  const max = TEXT_LIMITS[name];
  const aside = isOptional(name) ? { note: form('optional') } : { maxLength: max };
  return (
    <FormField name={name}>
      {rows === undefined ? (
        <TextField {...shared} onValueChange={write} counted={max} autoComplete="off" />
      ) : (
        <TextArea {...shared} {...aside} onChange={write} rows={rows} />
      )}
    </FormField>
  );
}
