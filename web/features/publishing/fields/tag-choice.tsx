import { useId, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { TAGS_MAX } from '../../../../shared/constants.ts';
import { chipClass } from '../../../ui/chip/chip-class.ts';
import { FieldMessage } from '../../../ui/field/field.tsx';
import { CheckIcon, CloseIcon } from '../../../ui/icon/action-icons.tsx';
import { useListingForm } from '../publish-form-context.ts';
import { FormField } from './form-field.tsx';
import styles from './tag-choice.module.css';

/** The tags under which the plugin is found. One that is offered to nobody any more can still be taken off. */
export function TagChoice() {
  const t = useTranslations('publish');
  const id = useId();
  const chips = useRef<HTMLDivElement>(null);
  const { tags, plugin, values, setValue, problemAt } = useListingForm();
  const isFull = values.tags.length >= TAGS_MAX;
  const toggle = (code: string, isChosen: boolean): void =>
    setValue('tags', isChosen ? values.tags.filter((one) => one !== code) : [...values.tags, code]);
  const notOffered = values.tags.filter((code) => tags.every((tag) => tag.code !== code));
  const nameOf = (code: string): string => {
    const hidden = plugin?.hidden_tags?.find((tag) => tag.code === code);
    return hidden ? t('tag_hidden', { name: hidden.name }) : code;
  };
  const takeOff = (code: string): void => {
    toggle(code, true);
    chips.current?.focus();
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
              onClick={() => takeOff(code)}
            >
              {nameOf(code)}
              <CloseIcon size={14} className={styles.takeOff} />
            </button>
          ))}
        </div>
        <FieldMessage id={id} hint={t('tags_hint', { count: TAGS_MAX })} error={problemAt('/tags')} />
      </fieldset>
    </FormField>
  );
}
