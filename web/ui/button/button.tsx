import type { ComponentProps, MouseEvent } from 'react';
import { Spinner } from '../spinner/spinner.tsx';
import { type ButtonLook, buttonClass } from './button-class.ts';

type ButtonProps = ButtonLook & ComponentProps<'button'> & { busy?: boolean };

/** A button. While `busy` it keeps its width and focus, shows a spinner and ignores clicks. */
export function Button({
  variant = 'soft',
  size = 'm',
  square = false,
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ variant, size, square }, className)}
      aria-busy={busy || undefined}
      onClick={press}
    >
      {busy && <Spinner />}
      {busy && square ? null : children}
    </button>
  );
}
