import { useQuery } from '@tanstack/react-query';
import ChevronLeftIcon from 'lucide-react/icons/chevron-left';
import ChevronRightIcon from 'lucide-react/icons/chevron-right';
import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import type { Banner } from '../../../shared/entities/site.ts';
import { pictureSrcset, pictureUrl } from '../../../shared/media.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { CarouselDots } from '../../ui/carousel-dots/carousel-dots.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import styles from './banners.module.css';
import { bannersQuery } from './banners-query.ts';
import { useCarousel } from './use-carousel.ts';

/** The banners of the home page; hidden when there are none or they fail to load. */
export function Banners() {
  const { data, isPending } = useQuery(bannersQuery());
  if (isPending) return <Skeleton shape="block" className={styles.place} />;
  const shown = data?.banner_list.filter(({ redirect_url }) => redirect_url !== '') ?? [];
  return shown.length > 0 && <BannerCarousel banners={shown} />;
}

/** A carousel of banners. The first one is visible without JavaScript. */
function BannerCarousel({ banners }: { banners: Banner[] }) {
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
      data-banner-area
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
          <CarouselDots
            className={styles.dots}
            count={banners.length}
            index={index}
            nameOf={(position) => t('banner_show', { position })}
            onShow={show}
            pause={{
              label: playing ? t('banner_pause') : t('banner_play'),
              isPaused: !playing,
              onChange: (isPaused) => setPlaying(!isPaused),
            }}
          />
        </>
      )}
    </section>
  );
}

const SIZES = '(min-width: 1440px) 1360px, (min-width: 641px) 94vw, 240vw';

type BannerSlideProps = {
  banner: Banner;
  place: string;
  current: boolean;
  /** `first` is loaded with high priority; `later` after the carousel has started. */
  load: 'first' | 'now' | 'later';
};

/** One banner: image, title and one link for both. */
function BannerSlide({ banner, place, current, load }: BannerSlideProps) {
  const t = useTranslations('home');
  const locale = useLocale();
  const { picture, plugin } = banner;
  const otherLang = (lang: string) => (lang === locale ? undefined : lang);
  const content = (
    <>
      {picture && (
        <img
          className={styles.picture}
          src={pictureUrl(picture.key, picture.widths.at(-1) ?? picture.width)}
          srcSet={pictureSrcset(picture.key, picture.widths)}
          sizes={SIZES}
          width={picture.width}
          height={picture.height}
          loading={load === 'later' ? 'lazy' : 'eager'}
          fetchPriority={load === 'first' ? 'high' : 'low'}
          decoding="async"
          alt=""
        />
      )}
      <span className={styles.scrim} />
      <span className={styles.text}>
        <span className={styles.title} lang={otherLang(banner.lang)}>
          {banner.title}
        </span>
        <span className={styles.go}>
          {plugin?.name
            ? t.rich('banner_see', {
                name: plugin.name,
                plugin: (name) => <span lang={otherLang(plugin.lang)}>{name}</span>,
              })
            : t('banner_more')}
        </span>
      </span>
    </>
  );
  const shared = { className: styles.link, tabIndex: current ? undefined : -1, draggable: false };
  return (
    <li className={styles.slide} aria-roledescription="slide" aria-label={place} aria-hidden={!current}>
      {banner.redirect_url.startsWith(BASE_PATH) ? (
        <Link to={banner.redirect_url} {...shared}>
          {content}
        </Link>
      ) : (
        <a href={banner.redirect_url} rel="noopener" {...shared}>
          {content}
        </a>
      )}
    </li>
  );
}
