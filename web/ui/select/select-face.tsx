import { classNames } from '../class-names.ts';
import { ChevronDownIcon } from '../icon/arrow-icons.tsx';
import styles from './select.module.css';
import type { SelectControlProps } from './select-props.ts';

type SelectFaceProps = Pick<
  SelectControlProps,
  'id' | 'value' | 'options' | 'placeholder' | 'size' | 'disabled' | 'invalid'
>;

/** The look of the closed field. */
export function selectClass({ size, invalid }: Pick<SelectFaceProps, 'size' | 'invalid'>) {
  return classNames(styles.trigger, styles[size], invalid && styles.wrong);
}

/** How a select looks before its code is there. */
export function SelectFace({ id, value, options, placeholder, disabled, ...look }: SelectFaceProps) {
  const chosen = options.find((option) => option.value === value);
  return (
    <button type="button" id={id} className={selectClass(look)} disabled={disabled}>
      <span className={chosen ? styles.value : styles.placeholder} lang={chosen?.lang}>
        {chosen?.label ?? placeholder}
      </span>
      <ChevronDownIcon className={styles.arrow} />
    </button>
  );
}
