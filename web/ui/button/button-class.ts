import { classNames } from '../class-names.ts';
import styles from './button.module.css';

export type ButtonLook = {
  /** `primary` once per view; `soft` beside content; `quiet` for secondary actions. */
  variant?: 'primary' | 'soft' | 'outline' | 'quiet';
  size?: 's' | 'm' | 'l';
  /** Square, for an icon alone. */
  square?: boolean;
};

/** Classes of a button, for a link that should look like one. */
export function buttonClass({ variant = 'soft', size = 'm', square = false }: ButtonLook, extra?: string) {
  return classNames(styles.button, styles[variant], styles[size], square && styles.square, extra);
}
