import type { ReactNode } from 'react';

export type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  closeLabel: string;
  /** `picture` is as large as the screen allows and shows its title to assistive technology alone; `wide` holds long forms. */
  kind?: 'form' | 'wide' | 'picture';
  /** What gets the keyboard when it opens; the first control for null. */
  initialFocus?: () => HTMLElement | null;
  /** What gets it when it closes; what had it before for null. */
  finalFocus?: () => HTMLElement | null;
  /** What can be done, at the end of a line that stays in view while the rest scrolls. */
  foot?: ReactNode;
  children: ReactNode;
};
