import type { ComponentProps, ReactNode } from 'react';
import { Button } from './button.tsx';

type IconButtonProps = Omit<ComponentProps<typeof Button>, 'children' | 'square'> & {
  /** Accessible name. */
  label: string;
  icon: ReactNode;
};

/** A square button with an icon only. */
export function IconButton({ label, icon, variant = 'quiet', ...rest }: IconButtonProps) {
  return (
    <Button {...rest} variant={variant} square aria-label={label}>
      {icon}
    </Button>
  );
}
