import MenuIcon from 'lucide-react/icons/menu';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Lazy } from '../../../loading/lazy.tsx';
import { lazyWithRetry } from '../../../loading/lazy-with-retry.ts';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import type { Section } from '../targets/target.ts';

const navDrawer = lazyWithRetry(async () => (await import('./nav-drawer.tsx')).NavDrawer);

type Props = {
  className: string | undefined;
  sections: readonly Section[];
  /** Content at the end of the drawer that doesn't fit into the header. */
  children: ReactNode;
};

/** Opens the navigation drawer of small windows. */
export function DrawerButton({ className, sections, children }: Props) {
  const t = useTranslations('header');
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  const fail = (): void => {
    setWanted(false);
    setOpen(false);
  };
  return (
    <>
      <IconButton
        ref={button}
        className={className}
        label={t('open_menu')}
        icon={<MenuIcon size={20} />}
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={navDrawer.preload}
        onFocus={navDrawer.preload}
        onClick={() => {
          setOpen(true);
          setWanted(true);
        }}
      />
      {wanted && (
        <Lazy part={navDrawer} onFailed={fail}>
          {(NavDrawer) => (
            <NavDrawer opener={button} open={open} sections={sections} onClose={() => setOpen(false)}>
              {children}
            </NavDrawer>
          )}
        </Lazy>
      )}
    </>
  );
}
