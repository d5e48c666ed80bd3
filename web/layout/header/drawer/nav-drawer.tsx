import { Dialog } from '@base-ui/react/dialog';
import ChevronDownIcon from 'lucide-react/icons/chevron-down';
import XIcon from 'lucide-react/icons/x';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSignIn } from '../../../features/session/ask-sign-in.ts';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { useModalLayer } from '../../../ui/modal-layer.ts';
import { TargetLink } from '../target-link.tsx';
import { type Section, sectionText } from '../targets/target.ts';
import { useOnNavigation } from '../use-open-section.ts';
import styles from './nav-drawer.module.css';

/** Minimum window width at which the header shows its navigation itself. */
const WIDE = '(width >= 900px)';

type Props = {
  opener: RefObject<HTMLButtonElement | null>;
  open: boolean;
  sections: readonly Section[];
  children: ReactNode;
  onClose: () => void;
};

/** The header's navigation on small windows; loaded on first use. */
export function NavDrawer({ opener, open, sections, onClose, children }: Props) {
  const t = useTranslations('header');
  const close = useEffectEvent(onClose);
  const { isOpen } = useSignIn();
  useOnNavigation(onClose);
  useModalLayer(open);
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
              <XIcon size={18} />
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

type DrawerSectionsProps = { sections: readonly Section[]; onLeave: () => void };

/** Links and collapsible sections, one open at a time (R 11.9). */
function DrawerSections({ sections, onLeave }: DrawerSectionsProps) {
  const t = useTranslations();
  const [open, setOpen] = useState<string>();
  return (
    <ul>
      {sections.map((section) => (
        <li key={section.name} className={styles.section} data-section={section.name}>
          {'path' in section ? (
            <TargetLink path={section.path} className={styles.word} onClick={onLeave}>
              {t(sectionText(section))}
            </TargetLink>
          ) : (
            <Collapsible
              section={section}
              isOpen={open === section.name}
              onToggle={() => setOpen(open === section.name ? undefined : section.name)}
              onLeave={onLeave}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

type CollapsibleProps = {
  section: Extract<Section, { links: unknown }>;
  isOpen: boolean;
  onToggle: () => void;
  onLeave: () => void;
};

function Collapsible({ section, isOpen, onToggle, onLeave }: CollapsibleProps) {
  const id = useId();
  const t = useTranslations();
  return (
    <>
      <button
        type="button"
        className={styles.word}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={onToggle}
      >
        {t(sectionText(section))}
        <ChevronDownIcon size={14} className={styles.arrow} />
      </button>
      <ul id={id} hidden={!isOpen} className={styles.places}>
        {section.links.map(({ name, path, newWindow }) => (
          <li key={name}>
            <TargetLink path={path} newWindow={newWindow} className={styles.place} onClick={onLeave}>
              {t(`headerLinks.${name}`)}
            </TargetLink>
          </li>
        ))}
      </ul>
    </>
  );
}
