import ChevronDownIcon from 'lucide-react/icons/chevron-down';
import type { Ref } from 'react';
import { classNames } from '../class-names.ts';
import styles from './select.module.css';

export type SelectOption<V extends string> = {
  value: V;
  label: string;
  disabled?: boolean;
  /** BCP 47 tag of a label that isn't in the page's language. */
  lang?: string;
};

export type SelectControlProps = {
  id: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly SelectOption<string>[];
  placeholder: string;
  size: 'small' | 'default';
  disabled: boolean;
  invalid: boolean;
  describedBy: string | undefined;
  onBlur: (() => void) | undefined;
  triggerRef: Ref<HTMLButtonElement> | undefined;
};

type SelectFaceProps = Pick<
  SelectControlProps,
  'id' | 'value' | 'options' | 'placeholder' | 'size' | 'disabled' | 'invalid'
>;

/** Classes of the closed select. */
export function selectClass({ size, invalid }: Pick<SelectFaceProps, 'size' | 'invalid'>) {
  return classNames(styles.trigger, styles[size], invalid && styles.wrong);
}

/** The static look of a select before its code is loaded. */
export function SelectFace({ id, value, options, placeholder, disabled, ...rest }: SelectFaceProps) {
  const chosen = options.find((option) => option.value === value);
  return (
    <button type="button" id={id} className={selectClass(rest)} disabled={disabled}>
      <span className={chosen ? styles.value : styles.placeholder} lang={chosen?.lang}>
        {chosen?.label ?? placeholder}
      </span>
      <ChevronDownIcon className={styles.arrow} />
    </button>
  );
}
