import EyeIcon from 'lucide-react/icons/eye';
import XIcon from 'lucide-react/icons/x';
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { classNames } from '../class-names.ts';
import { Counter, describedBy, Field, type FieldFacts } from '../field/field.tsx';
import { isComposing } from './composition.ts';
import { FieldButton } from './field-button.tsx';
import styles from './text-field.module.css';

type TextFieldProps = Omit<ComponentProps<'input'>, 'size' | 'value' | 'onChange' | 'ref'> &
  FieldFacts & {
    value: string;
    onValueChange: (value: string) => void;
    /** Called on Enter, unless it ends an IME composition (R 13.1). */
    onEnter?: () => void;
    ref?: Ref<HTMLInputElement | null>;
    size?: 'small' | 'default' | 'large';
    leading?: ReactNode;
    /** Shows used and maximum number of characters (code points); more can be typed. */
    counted?: number | undefined;
    /** Label of the clear button; without it there is none. */
    clearLabel?: string;
    /** Label of the button that reveals a password. */
    revealLabel?: string;
  };

/** One line of text with its label, hint and error. */
export function TextField({
  label,
  hideLabel = false,
  hint,
  error,
  note,
  value,
  onValueChange,
  onEnter,
  size = 'default',
  leading,
  counted,
  clearLabel,
  revealLabel,
  type = 'text',
  className,
  onKeyDown,
  ref,
  ...rest
}: TextFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle<HTMLInputElement | null, HTMLInputElement | null>(ref, () => input.current);
  const [revealed, setRevealed] = useState(false);
  const clear = (): void => {
    onValueChange('');
    input.current?.focus();
  };
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    onKeyDown?.(event);
    if (event.key === 'Enter' && !isComposing(event)) onEnter?.();
  };
  const aside = counted === undefined ? note : <Counter value={value} max={counted} />;
  const facts = { label, hideLabel, hint, error, note: aside };
  return (
    <Field {...facts} id={id} className={className}>
      <div className={classNames(styles.box, styles[size], error && styles.wrong)}>
        {leading && <span className={styles.leading}>{leading}</span>}
        <input
          {...rest}
          ref={input}
          id={id}
          className={styles.input}
          type={revealed ? 'text' : type}
          value={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, facts)}
          onChange={(event) => onValueChange(event.target.value)}
          onKeyDown={press}
        />
        {clearLabel && value !== '' && (
          <FieldButton label={clearLabel} onClick={clear} icon={<XIcon size={14} />} />
        )}
        {revealLabel && (
          <FieldButton
            label={revealLabel}
            pressed={revealed}
            onClick={() => setRevealed(!revealed)}
            icon={<EyeIcon />}
          />
        )}
      </div>
    </Field>
  );
}
