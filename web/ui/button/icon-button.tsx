import type { ComponentProps, ReactNode } from 'react';
import { Button } from './button.tsx';

type IconButtonProps = Omit<ComponentProps<typeof Button>, 'children' | 'square'> & {
  /** What it does, for those who do not see the icon. */
  label: string;
  icon: ReactNode;
};

/** A square button that shows an icon alone. */
export function IconButton({ label, icon, variant = 'quiet', ...rest }: IconButtonProps) {
  return (
    <Button {...rest} variant={variant} square aria-label={label}>
      {icon}
    </Button>
  );
}
