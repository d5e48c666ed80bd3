import { type RefObject, useEffect, useState } from 'react';
import { useLocale } from 'use-intl';
import type { PluginDetail } from '../../../../shared/entities/plugin.ts';
import { PluginIcon } from '../plugin-icon.tsx';
import styles from './install-bar.module.css';
import { PluginActions } from './plugin-actions.tsx';

type Props = {
  plugin: PluginDetail;
  isOwn: boolean;
  editorUrl: string | undefined;
  onOpen: (() => void) | undefined;
  /** The page's head; the bar replaces it once it has scrolled out of view. */
  head: RefObject<HTMLElement | null>;
};

/** Name and install button, below the site's header or, on a phone, at the bottom of the window. */
export function InstallBar({ plugin, isOwn, editorUrl, onOpen, head }: Props) {
  const locale = useLocale();
  if (!useIsScrolledPast(head)) return null;
  return (
    <section className={styles.bar} aria-label={plugin.name}>
      <div className={styles.row}>
        <PluginIcon icon={plugin.icon} name={plugin.name} size={36} />
        <p className={styles.name} lang={plugin.lang === locale ? undefined : plugin.lang}>
          {plugin.name}
        </p>
        <PluginActions plugin={plugin} isOwn={isOwn} editorUrl={editorUrl} onOpen={onOpen} compact />
      </div>
    </section>
  );
}

/** True while the element is above the viewport. */
function useIsScrolledPast(element: RefObject<HTMLElement | null>): boolean {
  const [isScrolledPast, setIsScrolledPast] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry) setIsScrolledPast(!entry.isIntersecting && entry.boundingClientRect.bottom <= 0);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isScrolledPast;
}
