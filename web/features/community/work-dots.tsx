import { useTranslations } from 'use-intl';
import { PauseIcon, PlayIcon } from '../../ui/icon/media-icons.tsx';
import styles from './works.module.css';

type Props = {
  count: number;
  index: number;
  show: (index: number) => void;
  /** Absent where nothing moves by itself. */
  pause: { isPaused: boolean; setPaused: (isPaused: boolean) => void } | undefined;
};

/** Which work is shown, a way to any other, and a way to stop the movement. */
export function WorkDots({ count, index, show, pause }: Props) {
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
