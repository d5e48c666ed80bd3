import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ChevronDownIcon } from '../../../ui/icon/arrow-icons.tsx';
import { TargetLink } from '../target-link.tsx';
import type { Section } from '../targets/target.ts';
import styles from './nav-drawer.module.css';

type Props = { sections: readonly Section[]; onLeave: () => void };

/** Links and collapsible sections, one open at a time (specification section 2). */
export function DrawerSections({ sections, onLeave }: Props) {
  const t = useTranslations('header');
  const [open, setOpen] = useState<string>();
  return (
    <ul>
      {sections.map((section) => (
        <li key={section.name} className={styles.section} data-section={section.name}>
          {'path' in section ? (
            <TargetLink path={section.path} className={styles.word} onClick={onLeave}>
              {t(section.name)}
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
  section: Extract<Section, { places: unknown }>;
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
        {t(`header.${section.name}`)}
        <ChevronDownIcon size={14} className={styles.arrow} />
      </button>
      <ul id={id} hidden={!isOpen} className={styles.places}>
        {section.places.map(({ name, path, newWindow }) => (
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
