import type { KeyboardEvent } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import type { FeaturedWork } from '../../../shared/entities/site.ts';
import { pictureSrcset, pictureUrl } from '../../../shared/media.ts';
import { HeartIcon } from '../../ui/icon/state-icons.tsx';
import { EyeIcon } from '../../ui/icon/thing-icons.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden/visually-hidden.tsx';
import card from './card.module.css';
import { ShownCount } from './shown-count.tsx';
import styles from './works.module.css';

const SIZES = '360px';

/** A work with the address that its link has on this page; one that leads nowhere is shown without a link. */
export type LinkedWork = FeaturedWork & { href: string | undefined };

type Props = {
  works: readonly LinkedWork[];
  shown: LinkedWork;
  /** Said aloud when the visitor has chosen it, not while it moves on by itself. */
  isMoving: boolean;
  step: (by: 1 | -1) => void;
};

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowLeft: -1 };

/**
 * The shown work: its picture over those of the others, and one link for all, so that the focus stays where it is while
 * they follow one another.
 */
export function WorkStage({ works, shown, isMoving, step }: Props) {
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
