import MinusIcon from 'lucide-react/icons/minus';
import PlusIcon from 'lucide-react/icons/plus';
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { NUMBER_INPUT } from '../../../shared/constants.ts';
import { classNames } from '../class-names.ts';
import { describedBy, Field, type FieldFacts } from '../field/field.tsx';
import { isComposing } from '../text-field/composition.ts';
import styles from './number-input.module.css';
import { stepped, typedNumber } from './number-value.ts';

type NumberInputProps = FieldFacts & {
  value: number;
  onChange: (value: number) => void;
  /** Called on Enter with the valid number. */
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

/** A small number: typed, or changed by buttons and arrow keys. Invalid input is reverted. */
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
      // The field may be removed on Enter and return focus: the same key press would activate the newly focused
      // element.
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

type StepButtonProps = {
  label: string;
  icon: ReactNode;
  controls: string;
  disabled: boolean;
  onStep: () => void;
};

/** A step button of a number; with the keyboard, arrow keys in the field do the same. */
function StepButton({ label, icon, controls, disabled, onStep }: StepButtonProps) {
  const hold = useRepeatWhilePressed(onStep, disabled);
  return (
    <button
      {...hold}
      type="button"
      className={styles.step}
      tabIndex={-1}
      aria-label={label}
      aria-controls={controls}
      disabled={disabled}
      onContextMenu={(event) => event.preventDefault()}
    >
      {icon}
    </button>
  );
}

type HoldHandlers = {
  onPointerDown: (event: PointerEvent) => void;
  onPointerUp: () => void;
  onPointerLeave: () => void;
  onPointerCancel: () => void;
  onClick: (event: MouseEvent) => void;
};

/** Runs once on click, and every 100 ms while the button is held, until it is disabled. */
function useRepeatWhilePressed(act: () => void, disabled: boolean): HoldHandlers {
  const current = useRef(act);
  const timer = useRef<ReturnType<typeof setInterval>>(undefined);
  const hasRepeated = useRef(false);
  useEffect(() => {
    current.current = act;
  });
  const stop = (): void => clearInterval(timer.current);
  useEffect(() => () => clearInterval(timer.current), []);
  useEffect(() => {
    if (!disabled) return;
    clearInterval(timer.current);
    hasRepeated.current = false;
  }, [disabled]);
  return {
    onPointerDown({ button }) {
      stop();
      if (button !== 0) return;
      hasRepeated.current = false;
      timer.current = setInterval(() => {
        hasRepeated.current = true;
        current.current();
      }, NUMBER_INPUT.repeat);
    },
    onPointerUp: stop,
    onPointerLeave: stop,
    onPointerCancel: stop,
    // The click after a hold was counted already; one by voice or screen reader has no pointer events.
    onClick({ detail }) {
      if (detail === 0 || !hasRepeated.current) current.current();
      hasRepeated.current = false;
    },
  };
}
