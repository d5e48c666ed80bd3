import { useTranslations } from 'use-intl';
import { classNames } from '../../ui/class-names.ts';
import { useLazyComponent } from '../use-lazy-component.ts';
import styles from './main-nav.module.css';
import { NavItem } from './nav-item.tsx';
import { TargetLink } from './target-link.tsx';
import type { Section } from './targets/target.ts';
import { useOpenSection } from './use-open-section.ts';

const loadPanel = async () => (await import('./panel/section-panel.tsx')).SectionPanel;

const FOLDS = { 0: undefined, 1: styles.fold1, 2: styles.fold2, 3: styles.fold3 } as const;

/** The words of the header; those that do not fit stand in the menu "More". */
export function MainNav({ sections }: { sections: readonly Section[] }) {
  const t = useTranslations('header');
  const opening = useOpenSection();
  const { close } = opening;
  const { part, want } = useLazyComponent(loadPanel, close);
  const panel = (shown: Section | undefined) => (id: string) =>
    part && (
      <part.Part
        id={id}
        section={shown}
        sections={sections}
        takesFocus={opening.open?.way === 'key'}
        onLeave={close}
      />
    );
  const folds = sections.some(({ fold }) => fold);
  return (
    <nav className={styles.nav} aria-label={t('main')} onPointerEnter={want} onFocus={want}>
      <ul className={styles.items}>
        {sections.map((section) => {
          const fold = FOLDS[section.fold ?? 0];
          if ('path' in section)
            return (
              <li key={section.name} data-section={section.name} className={classNames(styles.item, fold)}>
                <TargetLink path={section.path} className={styles.word}>
                  {t(section.name)}
                </TargetLink>
              </li>
            );
          return (
            <NavItem
              key={section.name}
              name={section.name}
              label={t(section.name)}
              className={fold}
              opening={opening}
              onWant={want}
              panel={panel(section)}
            />
          );
        })}
        {folds && (
          <NavItem
            name="more"
            label={t('more')}
            className={styles.more}
            opening={opening}
            onWant={want}
            panel={panel(undefined)}
          />
        )}
      </ul>
    </nav>
  );
}
