import type { ReactNode } from 'react';
import styles from './number-input.module.css';
import { useHold } from './use-hold.ts';

type StepButtonProps = {
  label: string;
  icon: ReactNode;
  controls: string;
  disabled: boolean;
  onStep: () => void;
};

/** One of the two buttons of a number; the keyboard has its arrows in the field instead. */
export function StepButton({ label, icon, controls, disabled, onStep }: StepButtonProps) {
  const hold = useHold(onStep, disabled);
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
