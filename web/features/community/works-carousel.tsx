import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import { CAROUSEL_STEP } from '../../../shared/constants.ts';
import { PauseIcon, PlayIcon } from '../../ui/icon/media-icons.tsx';
import card from './card.module.css';
import { type LinkedWork, WorkStage } from './work-stage.tsx';
import styles from './works.module.css';

/** Works of the community that follow one another while the visitor is at them. */
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
          <WorkDots
            count={works.length}
            index={index}
            show={show}
            pause={isStill ? undefined : { isPaused, setPaused }}
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

type Props = {
  count: number;
  index: number;
  show: (index: number) => void;
  /** Absent where nothing moves by itself. */
  pause: { isPaused: boolean; setPaused: (isPaused: boolean) => void } | undefined;
};

/** Which work is shown, a way to any other, and a way to stop the movement. */
function WorkDots({ count, index, show, pause }: Props) {
  const t = useTranslations('community');
  return (
    <div className={styles.dots}>
      {Array.from({ length: count }, (_, place) => place).map((place) => (
        <button
          key={place}
          type="button"
          className={styles.dot}
          aria-label={t('work_place', { position: place + 1, count })}
          aria-current={place === index || undefined}
          onClick={() => show(place)}
        />
      ))}
      {pause && (
        <button
          type="button"
          className={styles.pause}
          aria-label={pause.isPaused ? t('works_play') : t('works_pause')}
          onClick={() => pause.setPaused(!pause.isPaused)}
        >
          {pause.isPaused ? <PlayIcon size={12} /> : <PauseIcon size={12} />}
        </button>
      )}
    </div>
  );
}

const STILL = '(prefers-reduced-motion: reduce)';

function onStillChange(changed: () => void): () => void {
  const query = matchMedia(STILL);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/**
 * Steps through `count` works every CAROUSEL_STEP milliseconds while pointer or focus is at them (specification
 * section 9): not where motion is unwelcome, nor once the visitor has chosen a work or paused (WCAG 2.2, 2.2.2).
 */
function useSteps(count: number) {
  const [index, setIndex] = useState(0);
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [isPaused, setPaused] = useState(false);
  const isStill = useSyncExternalStore(
    onStillChange,
    () => matchMedia(STILL).matches,
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
