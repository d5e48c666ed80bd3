import PauseIcon from 'lucide-react/icons/pause';
import PlayIcon from 'lucide-react/icons/play';
import { classNames } from '../class-names.ts';
import styles from './carousel-dots.module.css';

type CarouselDotsProps = {
  count: number;
  index: number;
  /** Accessible name of the button that shows the slide at a position; the first is 1. */
  nameOf: (position: number) => string;
  onShow: (index: number) => void;
  /** The button that pauses and plays; absent without automatic movement. */
  pause: { label: string; isPaused: boolean; onChange: (isPaused: boolean) => void } | undefined;
  className: string | undefined;
};

/** Indicator of the current slide of a carousel, buttons for the others, and a pause button (WCAG 2.2, 2.2.2). */
export function CarouselDots({ count, index, nameOf, onShow, pause, className }: CarouselDotsProps) {
  const PauseOrPlay = pause?.isPaused ? PlayIcon : PauseIcon;
  return (
    <div className={classNames(styles.dots, className)}>
      {Array.from({ length: count }, (_, place) => place).map((place) => (
        <button
          key={place}
          type="button"
          className={styles.dot}
          aria-label={nameOf(place + 1)}
          aria-current={place === index || undefined}
          onClick={() => onShow(place)}
        />
      ))}
      {pause && (
        <button
          type="button"
          className={styles.pause}
          aria-label={pause.label}
          onClick={() => pause.onChange(!pause.isPaused)}
        >
          <PauseOrPlay size={12} fill="currentColor" />
        </button>
      )}
    </div>
  );
}
