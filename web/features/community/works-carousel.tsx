import EyeIcon from 'lucide-react/icons/eye';
import HeartIcon from 'lucide-react/icons/heart';
import { type KeyboardEvent, useEffect, useId, useState, useSyncExternalStore } from 'react';
import { useFormatter, useLocale, useTranslations } from 'use-intl';
import { CAROUSEL_STEP, COUNT_SHOWN_MAX } from '../../../shared/constants.ts';
import type { FeaturedWork } from '../../../shared/entities/site.ts';
import { pictureSrcset, pictureUrl } from '../../../shared/media.ts';
import { CarouselDots } from '../../ui/carousel-dots/carousel-dots.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden/visually-hidden.tsx';
import card from './card.module.css';
import styles from './works.module.css';

/** A carousel of community works that advances while the visitor points at it. */
export function WorksCarousel({ works }: { works: readonly LinkedWork[] }) {
  const t = useTranslations('community');
  const heading = useId();
  const { index, isPaused, isStill, isMoving, setPaused, show, holders } = useSteps(works.length);
  const shown = works[index];
  const several = works.length > 1;
  return (
    <section className={styles.works} aria-roledescription="carousel" aria-labelledby={heading} {...holders}>
      <div className={card.head}>
        <p className={card.heading} id={heading}>
          {t('works')}
        </p>
        {several && (
          <CarouselDots
            className={styles.dots}
            count={works.length}
            index={index}
            nameOf={(position) => t('work_place', { position, count: works.length })}
            onShow={show}
            pause={
              isStill
                ? undefined
                : { label: isPaused ? t('works_play') : t('works_pause'), isPaused, onChange: setPaused }
            }
          />
        )}
      </div>
      {shown && (
        <WorkStage
          works={works}
          shown={shown}
          isMoving={several && isMoving}
          step={(by) => several && show(index + by)}
        />
      )}
    </section>
  );
}

const REDUCED_MOTION = '(prefers-reduced-motion: reduce)';

function onStillChange(changed: () => void): () => void {
  const query = matchMedia(REDUCED_MOTION);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/**
 * Steps through `count` works every CAROUSEL_STEP milliseconds while they have pointer or focus
 * (R 11.6): not with reduced motion, nor after the visitor has chosen a work or paused (WCAG 2.2, 2.2.2).
 */
function useSteps(count: number) {
  const [index, setIndex] = useState(0);
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [isPaused, setPaused] = useState(false);
  const isStill = useSyncExternalStore(
    onStillChange,
    () => matchMedia(REDUCED_MOTION).matches,
    () => true,
  );
  const isMoving = !isPaused && !isStill && (isHovered || isFocused);

  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => setIndex((shown) => shown + 1), CAROUSEL_STEP);
    return () => clearInterval(timer);
  }, [isMoving]);

  const show = (next: number): void => {
    setPaused(true);
    setIndex(next + count);
  };
  const holders = {
    onPointerEnter: () => setHovered(true),
    onPointerLeave: () => setHovered(false),
    onFocus: () => setFocused(true),
    onBlur: () => setFocused(false),
  };
  return { index: index % count, isPaused, isStill, isMoving, setPaused, show, holders };
}

const SIZES = '360px';

/** A work with the URL of its link; undefined where there is no such page. */
type LinkedWork = FeaturedWork & { href: string | undefined };

type WorkStageProps = {
  works: readonly LinkedWork[];
  shown: LinkedWork;
  /** Announced when the visitor has chosen it, not on automatic movement. */
  isMoving: boolean;
  step: (by: 1 | -1) => void;
};

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowLeft: -1 };

/** The current work: its picture on top of the others, and one link for all, so that focus stays while they change. */
function WorkStage({ works, shown, isMoving, step }: WorkStageProps) {
  const t = useTranslations('community');
  const locale = useLocale();
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = STEPS[event.key];
    if (!by) return;
    event.preventDefault();
    step(by);
  };
  const content = (
    <>
      <span className={card.frame}>
        {works.map(({ id, picture }) => (
          <img
            key={id}
            className={styles.picture}
            data-shown={id === shown.id || undefined}
            src={pictureUrl(picture.key, picture.widths[0] ?? picture.width)}
            srcSet={pictureSrcset(picture.key, picture.widths)}
            sizes={SIZES}
            width={picture.width}
            height={picture.height}
            decoding="async"
            alt=""
          />
        ))}
      </span>
      <span aria-live={isMoving ? 'off' : 'polite'}>
        <span className={styles.title} lang={shown.lang === locale ? undefined : shown.lang}>
          {shown.title}
        </span>
        <span className={styles.facts}>
          <span className={styles.author}>{shown.author}</span>
          <span className={styles.count}>
            <HeartIcon size={14} />
            <VisuallyHidden>{t('likes')}</VisuallyHidden>
            <ShownCount value={shown.like_num} />
          </span>
          <span className={styles.count}>
            <EyeIcon size={14} />
            <VisuallyHidden>{t('views')}</VisuallyHidden>
            <ShownCount value={shown.view_num} />
          </span>
        </span>
      </span>
    </>
  );
  return shown.href === undefined ? (
    <div className={styles.link}>{content}</div>
  ) : (
    <a className={styles.link} href={shown.href} draggable={false} onKeyDown={onKeyDown}>
      {content}
    </a>
  );
}

/** A number in the header, '9999+' above that (R 11.8). */
export function ShownCount({ value }: { value: number }) {
  const format = useFormatter();
  const text = format.number(Math.min(value, COUNT_SHOWN_MAX), { useGrouping: false });
  return value > COUNT_SHOWN_MAX ? `${text}+` : text;
}
