import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button/button.tsx';
import { RadioGroup } from '../../../ui/radio-group/radio-group.tsx';
import { useFormFields, useFormSettings } from '../form-contexts.tsx';
import styles from './section.module.css';
import { FormField, FormSection, PlainField } from './section.tsx';
import { LanguagePanel, TranslatedField } from './texts-section.tsx';

/** The new version, or the current one. */
export function VersionSection() {
  const t = useTranslations('publish');
  const { plugin, includesVersion, isVersionFixed } = useFormSettings();
  const lead = includesVersion ? 'version_lead' : isVersionFixed ? 'version_fixed_lead' : 'version_kept_lead';
  return (
    <FormSection title={t('version')} lead={t(lead)}>
      {plugin && (
        <dl className={styles.facts}>
          <div>
            <dt>{t('version_current')}</dt>
            <dd>{plugin.current_version ?? t('version_none')}</dd>
          </div>
          {plugin.last_version !== plugin.current_version && (
            <div>
              <dt>{t('version_last')}</dt>
              <dd>{plugin.last_version}</dd>
            </div>
          )}
        </dl>
      )}
      {!isVersionFixed && <VersionFields />}
    </FormSection>
  );
}

/** The kind of a version (feature or fix), its number and its release note. */
function VersionFields() {
  const t = useTranslations('publish');
  const { includesVersion } = useFormSettings();
  const { values, setKind, problemAt } = useFormFields();
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
          onChange={(kind) => setKind(kind, includesVersion)}
          error={problemAt('/version_kind')}
        />
      </FormField>
      {includesVersion && <VersionNumber />}
      <LanguagePanel names={['version_note']}>
        <TranslatedField name="version_note" hint={t('version_note_hint')} rows={4} />
      </LanguagePanel>
    </>
  );
}

/** The number of the new version; the next one is suggested. */
function VersionNumber() {
  const t = useTranslations('publish');
  const { plugin } = useFormSettings();
  const { values, setValue, suggested } = useFormFields();
  return (
    <div className={styles.number}>
      <PlainField
        name="version"
        label={t('version_number')}
        hint={t('version_hint')}
        autoComplete="off"
        spellCheck={false}
        required
      />
      {plugin && values.version !== suggested && (
        <Button variant="soft" className={styles.suggest} onClick={() => setValue('version', suggested)}>
          {t('version_suggested', { version: suggested })}
        </Button>
      )}
    </div>
  );
}
