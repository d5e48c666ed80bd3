import { type ReactNode, useEffect } from 'react';
import { useLazyComponent } from '../use-lazy-component.ts';
import styles from './desktop-header.module.css';

const loadBar = async () => (await import('./desktop-bar.tsx')).DesktopBar;

/**
 * The small header of the design tool's desktop client (specification section 2). Its place is there at once; what it
 * holds needs the tab's history, and no other visitor fetches it.
 */
export function DesktopHeader({ preferences }: { preferences: ReactNode }) {
  const { part, want } = useLazyComponent(loadBar);
  useEffect(want, [want]);
  return <header className={styles.header}>{part && <part.Part preferences={preferences} />}</header>;
}
