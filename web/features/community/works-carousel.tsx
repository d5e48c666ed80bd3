import { useId } from 'react';
import { useTranslations } from 'use-intl';
import card from './card.module.css';
import { useSteps } from './use-steps.ts';
import { WorkDots } from './work-dots.tsx';
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
