import { useQuery } from '@tanstack/react-query';
import StarIcon from 'lucide-react/icons/star';
import type { ReactNode } from 'react';
import { Link, useViewTransitionState } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import type { ActiveSlot } from '../../../shared/entities/site.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { classNames } from '../../ui/class-names.ts';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { excerpt } from './excerpt.ts';
import styles from './featured.module.css';
import { PluginCover } from './plugin-cover.tsx';
import { PluginIcon } from './plugin-icon.tsx';
import { PluginMark } from './plugin-mark.tsx';
import { pluginPath } from './plugin-path.ts';

/** Plugins in active resource slots; nothing when there are none or they fail to load. */
export function Featured() {
  const t = useTranslations('home');
  const { data, isPending } = useQuery(queryOptionsOf('listActiveSlots', {}));
  const slots = data?.slot_list ?? [];
  if (isPending) return <FeaturedSkeleton />;
  if (slots.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="featured">
      <h2 id="featured" className={styles.title}>
        <StarIcon size={22} fill="currentColor" />
        {t('featured')}
      </h2>
      <ul className={styles.tiles}>
        {slots.map((slot) => (
          <Tile key={slot.id} slot={slot} />
        ))}
      </ul>
    </section>
  );
}

/** Skeletons of a full row. */
function FeaturedSkeleton() {
  return (
    <div className={styles.section} aria-hidden="true">
      <h2 className={styles.title}>
        <Skeleton className={styles.bar} />
      </h2>
      <div className={styles.tiles}>
        {['a', 'b', 'c'].map((key) => (
          <div key={key} className={styles.tile}>
            <Skeleton shape="block" className={styles.cover} />
            <div className={styles.line}>
              <PluginIcon icon={null} name="" size={36} />
              <div className={styles.texts}>
                <h3 className={styles.name}>
                  <Skeleton className={styles.bar} />
                </h3>
                <p className={styles.intro}>
                  <Skeleton className={styles.bar} />
                </p>
              </div>
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}

function Tile({ slot: { link, plugin } }: { slot: ActiveSlot }) {
  const locale = useLocale();
  const { icon, intro, name, lang, intro_lang: introLang = lang } = plugin;
  const isMoving = useViewTransitionState(pluginPath(plugin.plugin_key));
  return (
    <li className={styles.tile}>
      <div className={classNames(styles.cover, isMoving && styles.moving)}>
        <PluginCover
          plugin={plugin}
          sizes="(min-width: 1440px) 416px, (min-width: 900px) 29vw, 84vw"
          load="soon"
        />
        <PluginMark plugin={plugin} onCover />
      </div>
      <div className={styles.line} lang={lang === locale ? undefined : lang}>
        <PluginIcon icon={icon} name={name} size={36} />
        <div className={styles.texts}>
          <h3 className={styles.name}>
            <SlotLink link={link} className={styles.link}>
              {name}
            </SlotLink>
          </h3>
          <p className={styles.intro} lang={introLang === locale ? undefined : introLang}>
            {excerpt(intro)}
          </p>
        </div>
      </div>
    </li>
  );
}

type Props = { link: string; className?: string | undefined; children: ReactNode };

/** The slot's link: in the same tab within this site, else in a new tab. */
function SlotLink({ link, className, children }: Props) {
  if (link.startsWith(BASE_PATH)) {
    return (
      <Link to={link} state={{ stepsFromList: 1 }} className={className} viewTransition>
        {children}
      </Link>
    );
  }
  const isOwn = link.startsWith('/');
  return (
    <a href={link} className={className} {...(!isOwn && { target: '_blank', rel: 'noopener noreferrer' })}>
      {children}
    </a>
  );
}
