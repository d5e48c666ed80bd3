import type { ReactNode } from 'react';
import styles from './text-field.module.css';

type FieldButtonProps = { label: string; icon: ReactNode; pressed?: boolean; onClick: () => void };

export function FieldButton({ label, icon, pressed, onClick }: FieldButtonProps) {
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={label}
      aria-pressed={pressed}
      onClick={onClick}
    >
      {icon}
    </button>
  );
}
