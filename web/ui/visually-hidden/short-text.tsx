import type { ReactNode } from 'react';
import { VisuallyHidden } from './visually-hidden.tsx';

type ShortTextProps = {
  /** What is read out instead: the whole sentence, with what the place on screen tells the eye. */
  full: string;
  children: ReactNode;
};

/** A text that is short on screen because of what stands around it. */
export function ShortText({ full, children }: ShortTextProps) {
  return (
    <>
      <span aria-hidden="true">{children}</span>
      <VisuallyHidden>{full}</VisuallyHidden>
    </>
  );
}
