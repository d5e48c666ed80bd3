import { useTranslations } from 'use-intl';
import { classNames } from '../../ui/class-names.ts';
import { PauseIcon, PlayIcon } from '../../ui/icon/media-icons.tsx';
import styles from './banners.module.css';

type BannerDotsProps = {
  count: number;
  index: number;
  show: (index: number) => void;
  playing: boolean;
  setPlaying: (playing: boolean) => void;
};

/** Which banner is shown, a way to any other, and a way to stop the movement. */
export function BannerDots({ count, index, show, playing, setPlaying }: BannerDotsProps) {
  const t = useTranslations('home');
  return (
    <div className={styles.dots}>
      {Array.from({ length: count }, (_, place) => place).map((place) => (
        <button
          key={place}
          type="button"
          className={classNames(styles.dot, place === index && styles.current)}
          aria-label={t('banner_show', { position: place + 1 })}
          aria-current={place === index ? 'true' : undefined}
          onClick={() => show(place)}
        />
      ))}
      <button
        type="button"
        className={styles.play}
        aria-label={playing ? t('banner_pause') : t('banner_play')}
        onClick={() => setPlaying(!playing)}
      >
        {playing ? <PauseIcon size={12} /> : <PlayIcon size={12} />}
      </button>
    </div>
  );
}
