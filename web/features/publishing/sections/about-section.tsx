import { useQuery } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../../shared/constants.ts';
import { FALLBACK_LANGUAGE, textIn } from '../../../../shared/languages.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { RadioGroup } from '../../../ui/radio-group/radio-group.tsx';
import { Select } from '../../../ui/select/select.tsx';
import { TextArea } from '../../../ui/text-area/text-area.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { FormField } from '../fields/form-field.tsx';
import { TagChoice } from '../fields/tag-choice.tsx';
import { useListingForm } from '../publish-form-context.ts';
import { Section } from './section.tsx';

/** How the plugin is found, and whom it comes from. */
export function AboutSection() {
  const t = useTranslations('publish');
  const form = useTranslations('form');
  const { values, setValue, problemAt, rules } = useListingForm();
  return (
    <Section title={t('about')}>
      <TagChoice />
      <FormField name="contact">
        <TextField
          label={t('contact')}
          value={values.contact}
          onValueChange={(text) => setValue('contact', text)}
          counted={TEXT_LIMITS.contact}
          hint={t('contact_hint')}
          error={problemAt('/contact')}
          required
        />
      </FormField>
      <FormField name="support">
        <TextArea
          label={t('support')}
          value={values.support}
          onChange={(text) => setValue('support', text)}
          rows={2}
          note={form('optional')}
          hint={t('support_hint')}
          error={problemAt('/support')}
        />
      </FormField>
      <FormField name="copyright_kind">
        <RadioGroup
          label={t('copyright')}
          inline
          options={[
            { value: 'author', label: t('copyright_author') },
            { value: 'custom', label: t('copyright_custom') },
          ]}
          value={values.copyright_kind}
          onChange={(kind) => setValue('copyright_kind', kind)}
          error={problemAt('/copyright_kind')}
        />
      </FormField>
      {values.copyright_kind === 'custom' && (
        <FormField name="copyright_holder">
          <TextField
            label={t('copyright_holder')}
            value={values.copyright_holder}
            onValueChange={(text) => setValue('copyright_holder', text)}
            counted={TEXT_LIMITS.contact}
            error={problemAt('/copyright_holder')}
            required
          />
        </FormField>
      )}
      {rules?.may_mark && <MarkField />}
    </Section>
  );
}

/** The marks that administrators keep; where a service has no list of them, its mark is a word that is typed. */
function MarkField() {
  const t = useTranslations('publish');
  const { values, setValue, problemAt } = useListingForm();
  const locale = useLocale();
  const { data, error } = useQuery(queryOptionsOf('listManagedMarks', {}));
  const field = {
    label: t('plugin_mark'),
    hint: t('plugin_mark_hint'),
    value: values.plugin_mark,
    error: problemAt('/plugin_mark'),
  };
  const marks = data?.mark_list.filter(({ code, is_hidden }) => !is_hidden || code === values.plugin_mark);
  return (
    <FormField name="plugin_mark">
      {error ? (
        <TextField
          {...field}
          onValueChange={(text) => setValue('plugin_mark', text)}
          counted={TEXT_LIMITS.name}
        />
      ) : (
        <Select
          {...field}
          onChange={(code) => setValue('plugin_mark', code)}
          disabled={!data}
          options={[
            { value: '', label: t('plugin_mark_none') },
            ...(marks ?? []).map(({ code, name }) => ({
              value: code,
              label: textIn(name, locale, FALLBACK_LANGUAGE).text,
            })),
          ]}
        />
      )}
    </FormField>
  );
}
