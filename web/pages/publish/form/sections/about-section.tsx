import { useQuery } from '@tanstack/react-query';
import CheckIcon from 'lucide-react/icons/check';
import XIcon from 'lucide-react/icons/x';
import { useId, useRef } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { TAGS_MAX, TEXT_LIMITS } from '../../../../../shared/constants.ts';
import { FALLBACK_LANGUAGE, textIn } from '../../../../../shared/languages.ts';
import { queryOptionsOf } from '../../../../api/queries.ts';
import { chipClass } from '../../../../ui/chip/chip-class.ts';
import { FieldMessage } from '../../../../ui/field/field.tsx';
import { RadioGroup } from '../../../../ui/radio-group/radio-group.tsx';
import { Select } from '../../../../ui/select/select.tsx';
import { write } from '../form-state.ts';
import { useForm } from '../use-form.ts';
import styles from './about-section.module.css';
import { FormField, FormSection, PlainField } from './section.tsx';

/** Tags, mark, publisher and contact of the plugin. */
export function AboutSection() {
  const t = useTranslations('publish');
  const { state, rules, change, problemAt } = useForm();
  const { values } = state;
  return (
    <FormSection title={t('about')}>
      <TagChoice />
      <PlainField
        name="contact"
        label={t('contact')}
        counted={TEXT_LIMITS.contact}
        hint={t('contact_hint')}
        required
      />
      <FormField name="copyright_kind">
        <RadioGroup
          label={t('copyright')}
          inline
          options={[
            { value: 'author', label: t('copyright_author') },
            { value: 'custom', label: t('copyright_custom') },
          ]}
          value={values.copyright_kind}
          onChange={(kind) => change((now) => write(now, { copyright_kind: kind }))}
          error={problemAt('/copyright_kind')}
        />
      </FormField>
      {values.copyright_kind === 'custom' && (
        <PlainField
          name="copyright_holder"
          label={t('copyright_holder')}
          counted={TEXT_LIMITS.contact}
          required
        />
      )}
      {rules?.may_mark && <MarkField />}
    </FormSection>
  );
}

/** The tags of the plugin. One that is no longer offered can still be removed. */
function TagChoice() {
  const t = useTranslations('publish');
  const id = useId();
  const chips = useRef<HTMLDivElement>(null);
  const { state, tags, change, problemAt } = useForm();
  const { values, plugin } = state;
  const isFull = values.tags.length >= TAGS_MAX;
  const toggle = (code: string, isChosen: boolean): void =>
    change((now) => {
      const others = now.values.tags.filter((one) => one !== code);
      return write(now, { tags: isChosen ? others : [...others, code] });
    });
  const notOffered = values.tags.filter((code) => tags.every((tag) => tag.code !== code));
  const nameOf = (code: string): string => {
    const hidden = plugin?.hidden_tags?.find((tag) => tag.code === code);
    return hidden ? t('tag_hidden', { name: hidden.name }) : code;
  };
  return (
    <FormField name="tags">
      <fieldset className={styles.group}>
        <legend className={styles.legend}>
          {t('tags')}
          <span className={styles.count}>
            {values.tags.length}/{TAGS_MAX}
          </span>
        </legend>
        <div className={styles.chips} ref={chips} tabIndex={-1}>
          {tags.map(({ code, name }) => {
            const isChosen = values.tags.includes(code);
            return (
              <button
                key={code}
                type="button"
                className={chipClass({ small: true, current: isChosen })}
                aria-pressed={isChosen}
                disabled={isFull && !isChosen}
                onClick={() => toggle(code, isChosen)}
              >
                {isChosen && <CheckIcon size={14} className={styles.check} />}
                {name}
              </button>
            );
          })}
          {notOffered.map((code) => (
            <button
              key={code}
              type="button"
              className={chipClass({ small: true, current: true })}
              aria-pressed
              onClick={() => {
                toggle(code, true);
                chips.current?.focus();
              }}
            >
              {nameOf(code)}
              <XIcon size={14} className={styles.removeIcon} />
            </button>
          ))}
        </div>
        <FieldMessage id={id} hint={t('tags_hint', { count: TAGS_MAX })} error={problemAt('/tags')} />
      </fieldset>
    </FormField>
  );
}

/** The marks that administrators have defined; a service without a list of them gets a text field. */
function MarkField() {
  const t = useTranslations('publish');
  const { state, change, problemAt } = useForm();
  const { plugin_mark } = state.values;
  const locale = useLocale();
  const { data, error } = useQuery(queryOptionsOf('listManagedMarks', {}));
  const texts = { label: t('plugin_mark'), hint: t('plugin_mark_hint') };
  const marks = data?.mark_list.filter(({ code, is_hidden }) => !is_hidden || code === plugin_mark);
  if (error) return <PlainField name="plugin_mark" {...texts} counted={TEXT_LIMITS.name} />;
  return (
    <FormField name="plugin_mark">
      <Select
        {...texts}
        value={plugin_mark}
        error={problemAt('/plugin_mark')}
        onChange={(code) => change((now) => write(now, { plugin_mark: code }))}
        disabled={!data}
        options={[
          { value: '', label: t('plugin_mark_none') },
          ...(marks ?? []).map(({ code, name }) => ({
            value: code,
            label: textIn(name, locale, FALLBACK_LANGUAGE).text,
          })),
        ]}
      />
    </FormField>
  );
}
