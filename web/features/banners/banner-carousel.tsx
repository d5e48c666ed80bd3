import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { Banner } from '../../../shared/entities/site.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../ui/icon/arrow-icons.tsx';
import { BannerDots } from './banner-dots.tsx';
import { BannerSlide } from './banner-slide.tsx';
import styles from './banners.module.css';
import { useCarousel } from './use-carousel.ts';

/** Banners that follow one another. The first one is there before any script runs. */
export function BannerCarousel({ banners }: { banners: Banner[] }) {
  const t = useTranslations('home');
  const viewport = useRef<HTMLDivElement>(null);
  const { index, playing, setPlaying, show, hold, release, started } = useCarousel(viewport, banners.length);
  const several = banners.length > 1;
  const step = (by: number) => () => show((index + by + banners.length) % banners.length);
  return (
    <section
      className={styles.carousel}
      aria-roledescription="carousel"
      aria-label={t('banners')}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <div ref={viewport} className={styles.viewport}>
        <ul className={styles.track} aria-live={playing ? 'off' : 'polite'}>
          {banners.map((banner, place) => (
            <BannerSlide
              key={banner.id}
              banner={banner}
              place={t('banner_place', { position: place + 1, count: banners.length })}
              current={place === index}
              load={place === 0 ? 'first' : started ? 'now' : 'later'}
            />
          ))}
        </ul>
      </div>
      {several && (
        <>
          <IconButton
            className={styles.previous}
            variant="outline"
            label={t('banner_previous')}
            icon={<ChevronLeftIcon size={18} />}
            onClick={step(-1)}
          />
          <IconButton
            className={styles.next}
            variant="outline"
            label={t('banner_next')}
            icon={<ChevronRightIcon size={18} />}
            onClick={step(1)}
          />
          <BannerDots
            count={banners.length}
            index={index}
            show={show}
            playing={playing}
            setPlaying={setPlaying}
          />
        </>
      )}
    </section>
  );
}
