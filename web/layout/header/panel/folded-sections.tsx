import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { TargetLink } from '../target-link.tsx';
import type { Section } from '../targets/target.ts';
import styles from './folded-sections.module.css';

type Props = { sections: readonly Section[]; onLeave: () => void };

/** The sections that the row has no room for, each with its places. */
export function FoldedSections({ sections, onLeave }: Props) {
  const t = useTranslations('header');
  const list = useRef<HTMLUListElement>(null);
  const [hidden, setHidden] = useState<readonly string[]>([]);
  useLayoutEffect(() => {
    const items = list.current?.closest('nav')?.querySelectorAll<HTMLElement>('[data-section]') ?? [];
    const unseen = [...items].filter((item) => item.getClientRects().length === 0);
    setHidden(unseen.map(({ dataset }) => dataset.section ?? ''));
  }, []);
  return (
    <ul ref={list} className={styles.sections}>
      {sections
        .filter(({ name }) => hidden.includes(name))
        .map((section) => (
          <li key={section.name}>
            {'path' in section ? (
              <TargetLink path={section.path} className={styles.link} onClick={onLeave}>
                {t(section.name)}
              </TargetLink>
            ) : (
              <FoldedSection label={t(section.name)} section={section} onLeave={onLeave} />
            )}
          </li>
        ))}
    </ul>
  );
}

type FoldedSectionProps = {
  label: string;
  section: Extract<Section, { places: unknown }>;
  onLeave: () => void;
};

function FoldedSection({ label, section, onLeave }: FoldedSectionProps) {
  const t = useTranslations('headerLinks');
  return (
    <>
      <p className={styles.heading}>{label}</p>
      <ul>
        {section.places.map(({ name, path, newWindow }) => (
          <li key={name}>
            <TargetLink path={path} newWindow={newWindow} className={styles.link} onClick={onLeave}>
              {t(name)}
            </TargetLink>
          </li>
        ))}
      </ul>
    </>
  );
}
