import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { DATA_KINDS, TEXT_LIMITS } from '../../../../../shared/constants.ts';
import type { DataCollected } from '../../../../../shared/entities/plugin.ts';
import { LANGUAGE_NAMES } from '../../../../../shared/languages.ts';
import { useFindingText } from '../../../../features/findings/index.ts';
import { Checkbox } from '../../../../ui/checkbox/checkbox.tsx';
import { FieldMessage } from '../../../../ui/field/field.tsx';
import { TextArea } from '../../../../ui/text-area/text-area.tsx';
import { write } from '../form-state.ts';
import { useForm } from '../use-form.ts';
import { withText } from '../values.ts';
import styles from './facts-section.module.css';
import { FormField, FormSection, PlainField } from './section.tsx';

/** Often chosen ids of the SPDX list; every other licence can be typed. */
const LICENSES = [
  'MIT',
  'Apache-2.0',
  'BSD-3-Clause',
  'ISC',
  'MPL-2.0',
  'GPL-3.0-only',
  'AGPL-3.0-only',
  'CC-BY-4.0',
];

/** Licence, links and what the plugin collects; only where the service has them. */
export function FactsSection() {
  const t = useTranslations('publish');
  const form = useTranslations('form');
  const licenses = useId();
  const { rules } = useForm();
  if (!rules?.has_facts) return null;
  const link = { note: form('optional'), type: 'url', inputMode: 'url', placeholder: 'https://' } as const;
  return (
    <FormSection title={t('facts')} lead={t('facts_lead')}>
      <PlainField
        name="license"
        label={t('license')}
        hint={t('license_hint')}
        counted={TEXT_LIMITS.license}
        list={licenses}
        autoComplete="off"
      />
      <datalist id={licenses}>
        {LICENSES.map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      <PlainField {...link} name="home_page" label={t('home_page')} />
      <PlainField {...link} name="source_url" label={t('source_url')} />
      <PlainField {...link} name="issues_url" label={t('issues_url')} />
      <DataField />
    </FormSection>
  );
}

const NOTHING: DataCollected = { kinds: [], other: {} };

/** What the publisher declares to collect: nothing, or kinds of data and what else there is in words. */
function DataField() {
  const t = useTranslations('publish');
  const id = useId();
  const { state, change, problems } = useForm();
  const { values, language } = state;
  const { data_collected: collected } = values;
  const declare = (next: DataCollected, isSaid: boolean): void => {
    const isEmpty = next.kinds.length === 0 && Object.keys(next.other).length === 0;
    change((now) => write(now, { data_collected: isEmpty && !isSaid ? null : next }));
  };
  const { kinds, other } = collected ?? NOTHING;
  const isNothing = collected !== null && kinds.length === 0 && Object.keys(other).length === 0;
  const tooLong = problems.find(({ pointer }) => pointer === `/data_collected/${language}`);
  const textOf = useFindingText();
  return (
    <FormField name="data_collected">
      <fieldset className={styles.group} aria-describedby={`${id}-hint`}>
        <legend className={styles.legend}>{t('data_collected')}</legend>
        <Checkbox label={t('data_none')} checked={isNothing} onChange={(is) => declare(NOTHING, is)} />
        {DATA_KINDS.map((kind) => (
          <Checkbox
            key={kind}
            label={t(`data_${kind}`)}
            checked={kinds.includes(kind)}
            onChange={(is) =>
              declare({ kinds: is ? [...kinds, kind] : kinds.filter((one) => one !== kind), other }, false)
            }
          />
        ))}
        <TextArea
          label={t('data_other', { language: LANGUAGE_NAMES[language] })}
          lang={language}
          value={other[language] ?? ''}
          onChange={(text) => declare({ kinds, other: withText(other, language, text) }, false)}
          maxLength={TEXT_LIMITS.data_collected}
          error={tooLong && textOf(tooLong)}
          rows={2}
        />
        <FieldMessage id={id} hint={t('data_hint')} error={undefined} />
      </fieldset>
    </FormField>
  );
}
