import { Link } from 'react-router-dom';
import { useLocale } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import type { Banner } from '../../../shared/entities/site.ts';
import { pictureSrcset, pictureUrl } from '../../../shared/media.ts';
import { ChevronRightIcon } from '../../ui/icon/arrow-icons.tsx';
import styles from './banners.module.css';

const SIZES = '(min-width: 1440px) 1360px, (min-width: 701px) 94vw, 240vw';

type BannerSlideProps = {
  banner: Banner;
  place: string;
  current: boolean;
  /** `first` leads the page; `later` waits until the carousel has started. */
  load: 'first' | 'now' | 'later';
};

/** One banner: the artwork, its title on a plate of its own, one link for both. */
export function BannerSlide({ banner, place, current, load }: BannerSlideProps) {
  const locale = useLocale();
  const { picture } = banner;
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
      <span className={styles.plate} lang={banner.lang === locale ? undefined : banner.lang}>
        {banner.title}
        <span className={styles.go}>
          <ChevronRightIcon size={18} />
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
