import type { ReactNode } from 'react';
import { VisuallyHidden } from './visually-hidden.tsx';

type ShortTextProps = {
  /** Accessible name: the full sentence. */
  full: string;
  children: ReactNode;
};

/** A visually short text with a full one for screen readers. */
export function ShortText({ full, children }: ShortTextProps) {
  return (
    <>
      <span aria-hidden="true">{children}</span>
      <VisuallyHidden>{full}</VisuallyHidden>
    </>
  );
}
