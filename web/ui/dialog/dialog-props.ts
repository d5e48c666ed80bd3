import type { ReactNode } from 'react';

export type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  closeLabel: string;
  /** `picture` is as large as the screen allows and shows its title to assistive technology alone. */
  kind?: 'form' | 'picture';
  children: ReactNode;
};
