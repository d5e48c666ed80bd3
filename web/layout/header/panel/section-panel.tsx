import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Section } from '../targets/target.ts';
import { CommunityPlaces } from './community-places.tsx';
import { FoldedSections } from './folded-sections.tsx';
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
