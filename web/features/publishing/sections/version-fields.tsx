import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../../shared/constants.ts';
import { LANGUAGE_NAMES } from '../../../../shared/languages.ts';
import { RadioGroup } from '../../../ui/radio-group/radio-group.tsx';
import { TextArea } from '../../../ui/text-area/text-area.tsx';
import { FormField } from '../fields/form-field.tsx';
import { LanguageTabs } from '../fields/language-tabs.tsx';
import { VersionNumber } from '../fields/version-number.tsx';
import { useListingForm } from '../publish-form-context.ts';

/** Whether a version brings something new or mends, its number, and what has changed. */
export function VersionFields() {
  const t = useTranslations('publish');
  const panel = useId();
  const { values, setKind, setText, bringsVersion, problemAt, textProblem, language } = useListingForm();
  return (
    <>
      <FormField name="version_kind">
        <RadioGroup
          label={t('version_kind')}
          inline
          options={[
            { value: 'new', label: t('kind_new'), hint: t('kind_new_hint') },
            { value: 'fixed', label: t('kind_fixed'), hint: t('kind_fixed_hint') },
          ]}
          value={values.version_kind}
          onChange={(kind) => setKind(kind, bringsVersion)}
          error={problemAt('/version_kind')}
        />
      </FormField>
      {bringsVersion && <VersionNumber />}
      <LanguageTabs label={t('languages')} names={['version_note']} panel={panel} />
      <div id={panel} role="tabpanel" aria-label={LANGUAGE_NAMES[language]}>
        <FormField name="version_note">
          <TextArea
            label={t('version_note')}
            lang={language}
            value={values.version_note[language] ?? ''}
            onChange={(text) => setText('version_note', text)}
            maxLength={TEXT_LIMITS.version_note}
            hint={t('version_note_hint')}
            error={textProblem('version_note')}
            required={language === values.default_lang}
          />
        </FormField>
      </div>
    </>
  );
}
