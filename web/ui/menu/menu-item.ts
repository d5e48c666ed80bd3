import type { MouseEvent, ReactNode } from 'react';

/** One line of a menu: a link with `href`, a choice with `checked`, else a command. */
export type MenuItem = {
  key: string;
  label: ReactNode;
  icon?: ReactNode;
  /** BCP 47 tag of the label when it is not in the page's language. */
  lang?: string;
  checked?: boolean;
  href?: string;
  /** With `href`, leaves this page where it is. */
  newWindow?: boolean;
  /** With `href`, prevents the navigation to do it otherwise. */
  onSelect?: (event: MouseEvent) => void;
};
