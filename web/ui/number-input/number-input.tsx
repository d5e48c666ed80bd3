import { type KeyboardEvent, useId, useState } from 'react';
import { NUMBER_INPUT } from '../../../shared/constants.ts';
import { classNames } from '../class-names.ts';
import { describedBy, Field, type FieldFacts } from '../field/field.tsx';
import { MinusIcon, PlusIcon } from '../icon/sign-icons.tsx';
import { isComposing } from '../text-field/composition.ts';
import styles from './number-input.module.css';
import { stepped, typedNumber } from './number-value.ts';
import { StepButton } from './step-button.tsx';

type NumberInputProps = FieldFacts & {
  value: number;
  onChange: (value: number) => void;
  /** Enter, with the number that is accepted then. */
  onEnter?: (value: number) => void;
  min?: number;
  max?: number;
  step?: number;
  size?: 'small' | 'default';
  disabled?: boolean;
  decreaseLabel: string;
  increaseLabel: string;
};

const DIRECTIONS: Readonly<Record<string, 1 | -1>> = { ArrowUp: 1, ArrowDown: -1 };

/** A small number: typed, or stepped by buttons and arrows. What is typed out of its range goes back to what it was. */
export function NumberInput({
  label,
  hideLabel = false,
  hint,
  error,
  note,
  value,
  onChange,
  onEnter,
  min = NUMBER_INPUT.min,
  max = NUMBER_INPUT.max,
  step = NUMBER_INPUT.step,
  size = 'default',
  disabled = false,
  decreaseLabel,
  increaseLabel,
}: NumberInputProps) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const range = { min, max, step };
  const facts = { label, hideLabel, hint, error, note };
  const accepted = (): number => (typed === undefined ? value : (typedNumber(typed, range) ?? value));
  const take = (next: number): void => {
    setTyped(undefined);
    if (next !== value) onChange(next);
  };
  const go = (direction: 1 | -1): void => take(stepped(accepted(), direction, range));
  const press = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    const direction = DIRECTIONS[event.key];
    if (direction) {
      event.preventDefault();
      go(direction);
    } else if (event.key === 'Enter') {
      // What it is entered into may go and give the keyboard back: the key would press what gets it.
      if (onEnter) event.preventDefault();
      const next = accepted();
      take(next);
      if (typed === undefined || typedNumber(typed, range) !== undefined) onEnter?.(next);
    }
  };
  return (
    <Field {...facts} id={id}>
      <div className={classNames(styles.box, styles[size], error && styles.wrong)}>
        <StepButton
          label={decreaseLabel}
          icon={<MinusIcon />}
          controls={id}
          disabled={disabled || value <= min}
          onStep={() => go(-1)}
        />
        <input
          id={id}
          className={styles.input}
          type="text"
          role="spinbutton"
          inputMode={Number.isInteger(step) && min >= 0 ? 'numeric' : 'text'}
          autoComplete="off"
          disabled={disabled}
          value={typed ?? String(value)}
          aria-valuenow={value}
          aria-valuemin={min}
          aria-valuemax={max}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, facts)}
          onChange={(event) => setTyped(event.target.value)}
          onFocus={(event) => event.target.select()}
          onBlur={() => take(accepted())}
          onKeyDown={press}
        />
        <StepButton
          label={increaseLabel}
          icon={<PlusIcon />}
          controls={id}
          disabled={disabled || value >= max}
          onStep={() => go(1)}
        />
      </div>
    </Field>
  );
}
