import ChevronsLeftRightIcon from 'lucide-react/icons/chevrons-left-right';
import { type CSSProperties, type SyntheticEvent, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Picture } from '../../../../shared/entities/plugin.ts';
import { pictureSrcset, pictureUrl } from '../../../../shared/media.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './comparison.module.css';

/** Percent of the width that shows the *before*. Without JavaScript it stays. */
const MIDDLE = 50;

type ComparisonProps = {
  before: Picture;
  after: Picture;
  /** Among the items of the gallery. */
  position: { position: number; count: number };
  sizes: string;
  isFirst: boolean;
  /** Only the handle is dragged, so that the picture around it can be. */
  byHandle?: boolean;
};

/** Two pictures over each other, with a divider that is dragged or moved by keys. */
export function Comparison({ before, after, position, sizes, isFirst, byHandle = false }: ComparisonProps) {
  const t = useTranslations('plugin');
  const format = useFormatter();
  const [split, setSplit] = useState(MIDDLE);
  const percent = format.number(split / 100, { style: 'percent' });
  const place: CSSProperties & Record<'--split', string> = { '--split': `${split}%` };
  const loading = { sizes, isFirst };
  return (
    <div className={styles.comparison} style={split === MIDDLE ? undefined : place}>
      <div className={classNames(styles.side, styles.before)}>
        <Side {...loading} picture={before} alt={t('picture_before', position)} />
        <span className={styles.label} aria-hidden="true">
          {t('comparison_before')}
        </span>
      </div>
      <div className={classNames(styles.side, styles.after)}>
        <Side {...loading} picture={after} alt={t('picture_after', position)} />
        <span className={styles.label} aria-hidden="true">
          {t('comparison_after')}
        </span>
      </div>
      <span className={styles.track}>
        <input
          type="range"
          className={classNames(styles.range, byHandle && styles.byHandle)}
          min={0}
          max={100}
          value={split}
          autoComplete="off"
          aria-label={t('comparison')}
          aria-valuetext={t('comparison_share', { percent })}
          onChange={({ target }) => setSplit(target.valueAsNumber)}
          onInput={keepHere}
          onPointerDown={keepHere}
        />
      </span>
      <span className={styles.divider}>
        <span className={styles.handle}>
          <ChevronsLeftRightIcon size={20} />
        </span>
      </span>
    </div>
  );
}

/** The divider is no input that a dialog asks about before it closes, and dragging it moves nothing around it. */
function keepHere(event: SyntheticEvent): void {
  event.stopPropagation();
}

type SideProps = { picture: Picture; alt: string; sizes: string; isFirst: boolean };

function Side({ picture: { key, widths, width, height }, alt, sizes, isFirst }: SideProps) {
  return (
    <img
      className={styles.picture}
      src={pictureUrl(key, widths.at(-1) ?? width)}
      srcSet={pictureSrcset(key, widths)}
      sizes={sizes}
      width={width}
      height={height}
      fetchPriority={isFirst ? 'high' : 'auto'}
      decoding="async"
      draggable={false}
      alt={alt}
    />
  );
}

/** Both halves of a comparison, as its thumbnail. */
export function ComparisonThumb({ before, after }: Pick<ComparisonProps, 'before' | 'after'>) {
  return (
    <span className={styles.thumb}>
      {[after, before].map(({ key, widths }, index) => (
        <img
          key={key}
          className={index === 0 ? styles.after : styles.before}
          src={pictureUrl(key, widths[0] ?? 320)}
          width="128"
          height="72"
          alt=""
        />
      ))}
      <span className={styles.divider} />
    </span>
  );
}
