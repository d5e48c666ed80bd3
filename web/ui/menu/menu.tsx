import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { Lazy } from '../../loading/lazy.tsx';
import { lazyWithRetry } from '../../loading/lazy-with-retry.ts';
import { Button } from '../button/button.tsx';
import type { ButtonLook } from '../button/button-class.ts';

/** A menu item: a link with `href`, a choice with `checked`, else a command. */
export type MenuItem = {
  key: string;
  label: ReactNode;
  icon?: ReactNode;
  /** BCP 47 tag of a label that isn't in the page's language. */
  lang?: string;
  checked?: boolean;
  href?: string;
  /** With `href`, opens a new tab. */
  newWindow?: boolean;
  /** With `href`, handles the click instead of the browser. */
  onSelect?: (event: MouseEvent) => void;
};

const menuPopup = lazyWithRetry(async () => (await import('./menu-popup.tsx')).MenuPopup);

type MenuProps = ButtonLook & {
  /** Accessible name of the button if its content isn't enough. */
  label?: string;
  className?: string | undefined;
  /** Above the items. */
  heading?: ReactNode;
  items: readonly MenuItem[];
  align?: 'start' | 'center' | 'end';
  children: ReactNode;
};

/**
 * A button with a menu. The menu's code is loaded on first hover or focus; an earlier click opens the menu once it is
 * loaded.
 */
export function Menu({ label, className, heading, items, align = 'end', children, ...rest }: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const toggle = (): void => {
    setWanted(true);
    setOpen(!open);
  };
  const fail = (): void => {
    setWanted(false);
    setOpen(false);
  };
  const arrowDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    setWanted(true);
    setOpen(true);
  };
  return (
    <>
      <Button
        {...rest}
        ref={button}
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={menuPopup.preload}
        onFocus={menuPopup.preload}
        onClick={toggle}
        onKeyDown={arrowDown}
      >
        {children}
      </Button>
      {wanted && (
        <Lazy part={menuPopup} onFailed={fail}>
          {(MenuPopup) => (
            <MenuPopup
              anchor={button}
              label={label}
              heading={heading}
              items={items}
              align={align}
              open={open}
              onOpenChange={setOpen}
            />
          )}
        </Lazy>
      )}
    </>
  );
}
