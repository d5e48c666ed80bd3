import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, type RefObject, useEffect, useEffectEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useSignIn } from '../../../features/session/ask-sign-in.ts';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { CloseIcon } from '../../../ui/icon/action-icons.tsx';
import type { Section } from '../targets/target.ts';
import { useOnVisit } from '../use-on-visit.ts';
import { DrawerSections } from './drawer-sections.tsx';
import styles from './nav-drawer.module.css';

/** From this width on the header shows its words itself. */
const WIDE = '(min-width: 900px)';

type Props = {
  opener: RefObject<HTMLButtonElement | null>;
  open: boolean;
  sections: readonly Section[];
  children: ReactNode;
  onClose: () => void;
};

/** The header's words on small windows, in a drawer at the side; fetched when it is first wanted. */
export function NavDrawer({ opener, open, sections, onClose, children }: Props) {
  const t = useTranslations('header');
  const close = useEffectEvent(onClose);
  const { isOpen } = useSignIn();
  useOnVisit(onClose);
  useEffect(() => {
    if (isOpen) close();
  }, [isOpen]);
  useEffect(() => {
    const wide = matchMedia(WIDE);
    const changed = (): void => close();
    wide.addEventListener('change', changed);
    return () => wide.removeEventListener('change', changed);
  }, []);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.mask} />
        <Dialog.Popup className={styles.drawer} finalFocus={opener}>
          <div className={styles.top}>
            <Dialog.Title className={styles.title}>{t('menu')}</Dialog.Title>
            <Dialog.Close
              className={buttonClass({ variant: 'quiet', square: true })}
              aria-label={t('close_menu')}
            >
              <CloseIcon size={18} />
            </Dialog.Close>
          </div>
          <nav className={styles.nav} aria-label={t('main')}>
            <DrawerSections sections={sections} onLeave={onClose} />
          </nav>
          <div className={styles.end}>{children}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
