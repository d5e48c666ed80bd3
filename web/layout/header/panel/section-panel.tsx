import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isPrivate } from '../../../../shared/deploy-types.ts';
import { useSite } from '../../../api/site-context.ts';
import { useLazyComponent } from '../../../ui/use-lazy-component.ts';
import { useSiteAddress } from '../../site-address.ts';
import { TargetLink } from '../target-link.tsx';
import type { Place, Section } from '../targets/target.ts';
import { PlaceList } from './place-list.tsx';
import styles from './section-panel.module.css';

/** Pixels between a panel and the edge of the window. */
const EDGE = 16;

type Props = {
  id: string;
  /** Without one, the panel holds the sections that have no room in the row. */
  section: Section | undefined;
  sections: readonly Section[];
  /** Whether focus goes to its first link. */
  takesFocus: boolean;
  onLeave: () => void;
};

/** What unfolds below a word of the header; fetched when it is first wanted. */
export function SectionPanel({ id, section, sections, takesFocus, onLeave }: Props) {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = panel;
    if (!current) return;
    const over = current.getBoundingClientRect().right + EDGE - document.documentElement.clientWidth;
    if (over > 0) current.style.marginInlineStart = `${-over}px`;
  }, []);
  useEffect(() => {
    if (takesFocus) panel.current?.querySelector('a')?.focus();
  }, [takesFocus]);
  return (
    <div id={id} ref={panel} className={styles.panel} data-panel={section?.name ?? 'more'}>
      <div className={styles.card}>{contentOf(section, sections, onLeave)}</div>
    </div>
  );
}

function contentOf(section: Section | undefined, sections: readonly Section[], onLeave: () => void) {
  if (!section) return <FoldedSections sections={sections} onLeave={onLeave} />;
  if (!('places' in section)) return null;
  const { name, places } = section;
  if (name === 'community') return <CommunityPlaces places={places} onLeave={onLeave} />;
  return <PlaceList places={places} layout={name === 'support' ? 'tiles' : 'column'} onLeave={onLeave} />;
}

const loadResources = async () =>
  (await import('../../../features/community/resource-panel.tsx')).ResourcePanel;

type CommunityPlacesProps = { places: readonly Place[]; onLeave: () => void };

/** The parts of the community, and what is going on there. */
function CommunityPlaces({ places, onLeave }: CommunityPlacesProps) {
  const addressOf = useSiteAddress();
  const { deploy_type } = useSite();
  const { part, want } = useLazyComponent(loadResources);
  useEffect(want, []);
  return (
    <div className={styles.community}>
      <PlaceList places={places} layout="column" onLeave={onLeave} />
      <div className={styles.resources}>
        {part && <part.Part addressOf={addressOf} linkedOnly={isPrivate(deploy_type)} />}
      </div>
    </div>
  );
}

type FoldedSectionsProps = { sections: readonly Section[]; onLeave: () => void };

/** The sections that the row has no room for, each with its places. */
function FoldedSections({ sections, onLeave }: FoldedSectionsProps) {
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
