import { useTranslations } from 'use-intl';
import { Button } from '../../../../ui/button/button.tsx';
import { RadioGroup } from '../../../../ui/radio-group/radio-group.tsx';
import { isVersionFixed, suggestedIn, write, writeKind } from '../form-state.ts';
import { useForm } from '../use-form.ts';
import styles from './section.module.css';
import { FormField, FormSection, PlainField } from './section.tsx';
import { LanguagePanel, TranslatedField } from './texts-section.tsx';

/** The new version, or the current one. */
export function VersionSection() {
  const t = useTranslations('publish');
  const { state } = useForm();
  const { plugin, includesVersion } = state;
  const isFixed = isVersionFixed(state);
  const lead = includesVersion ? 'version_lead' : isFixed ? 'version_fixed_lead' : 'version_kept_lead';
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
      {!isFixed && <VersionFields />}
    </FormSection>
  );
}

/** The kind of a version (feature or fix), its number and its release note. */
function VersionFields() {
  const t = useTranslations('publish');
  const { state, change, problemAt } = useForm();
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
          value={state.values.version_kind}
          onChange={(kind) => change((now) => writeKind(now, kind))}
          error={problemAt('/version_kind')}
        />
      </FormField>
      {state.includesVersion && <VersionNumber />}
      <LanguagePanel names={['version_note']}>
        <TranslatedField name="version_note" hint={t('version_note_hint')} rows={4} />
      </LanguagePanel>
    </>
  );
}

/** The number of the new version; the next one is suggested. */
function VersionNumber() {
  const t = useTranslations('publish');
  const { state, change } = useForm();
  const suggested = suggestedIn(state);
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
      {state.plugin && state.values.version !== suggested && (
        <Button
          variant="soft"
          className={styles.suggest}
          onClick={() => change((now) => write(now, { version: suggested }))}
        >
          {t('version_suggested', { version: suggested })}
        </Button>
      )}
    </div>
  );
}
