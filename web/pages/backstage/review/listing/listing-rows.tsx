import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { MediaItem } from '../../../../../shared/entities/plugin.ts';
import { LANGUAGE_NAMES } from '../../../../../shared/languages.ts';
import { pictureUrl } from '../../../../../shared/media.ts';
import { useSite } from '../../../../api/site-context.ts';
import { Badge } from '../../../../ui/badge/badge.tsx';
import { classNames } from '../../../../ui/class-names.ts';
import { ShortText } from '../../../../ui/visually-hidden/short-text.tsx';
import { wordDifference } from '../differences.ts';
import styles from './listing.module.css';
import { hasText, isMediaChanged, isTextChanged, mediaKey, type TextField } from './listing-fields.ts';

type Props = {
  before: readonly MediaItem[] | undefined;
  after: readonly MediaItem[];
  name: string;
  isTarget: boolean;
};

/** Old and new pictures and videos, in order. */
export function MediaDifference({ before, after, name, isTarget }: Props) {
  const sought = useScrollToTarget<HTMLDivElement>(isTarget);
  const t = useTranslations('review');
  const isPair = before !== undefined && isMediaChanged(before, after);
  const keys = (items: readonly MediaItem[]) => new Set(items.map(mediaKey));
  return (
    <div className={classNames(styles.field, isTarget && styles.sought)} {...sought}>
      <dt className={styles.label}>{t('field_media')}</dt>
      <dd className={styles.pictures}>
        {isPair && (
          <Row
            label={t('before')}
            items={before}
            name={name}
            otherSide={keys(after)}
            mark={t('mark_removed')}
          />
        )}
        <Row
          label={isPair ? t('after') : undefined}
          items={after}
          name={name}
          otherSide={keys(isPair ? before : after)}
          mark={t('mark_added')}
        />
      </dd>
    </div>
  );
}

type RowProps = {
  label: string | undefined;
  items: readonly MediaItem[];
  name: string;
  /** Media of the other side. */
  otherSide: ReadonlySet<string>;
  mark: string;
};

function Row({ label, items, name, otherSide, mark }: RowProps) {
  const t = useTranslations('review');
  return (
    <figure className={styles.side}>
      {label && <figcaption className={styles.caption}>{label}</figcaption>}
      {items.length === 0 && <span className={styles.nothing}>{t('no_picture')}</span>}
      <ol className={styles.media}>
        {items.map((item) => (
          <li key={mediaKey(item)} className={styles.medium}>
            {item.kind === 'image' ? (
              <img
                className={styles.picture}
                src={pictureUrl(item.picture.key, item.picture.widths[0] ?? item.picture.width)}
                alt=""
                loading="lazy"
              />
            ) : (
              <video className={styles.picture} src={item.url} controls preload="none" aria-label={name}>
                <track kind="captions" />
              </video>
            )}
            {item.kind === 'image' && item.is_before && <Badge tone="neutral">{t('media_before')}</Badge>}
            {!otherSide.has(mediaKey(item)) && <Badge tone="brand">{mark}</Badge>}
          </li>
        ))}
      </ol>
    </figure>
  );
}

/** One text of the listing with its changes. */
export function TextRow({ field: entry, isTarget }: { field: TextField; isTarget: boolean }) {
  const sought = useScrollToTarget<HTMLDivElement>(isTarget);
  const t = useTranslations('review');
  const { language } = useSite();
  const { field, lang, before, after } = entry;
  return (
    <div className={classNames(styles.field, isTarget && styles.sought)} {...sought}>
      <dt className={styles.label}>
        {t(`field_${field}`)}
        {lang && (
          <span className={styles.lang} lang={lang}>
            {LANGUAGE_NAMES[lang]}
          </span>
        )}
      </dt>
      <dd lang={hasText(entry) ? lang : undefined}>
        {before !== undefined && isTextChanged(entry) ? (
          <TextDifference before={before} after={after} lang={lang ?? language} />
        ) : (
          <p className={classNames(styles.text, !hasText(entry) && styles.muted)}>
            {hasText(entry) ? after : t('field_empty')}
          </p>
        )}
      </dd>
    </div>
  );
}

type TextRowProps = { before: string; after: string; lang: string };

/** A text with deletions and insertions. */
function TextDifference({ before, after, lang }: TextRowProps) {
  const t = useTranslations('review');
  const pieces = useMemo(() => wordDifference(before, after, lang), [before, after, lang]);
  return (
    <p className={styles.text}>
      {pieces.map(({ kind, text }, index) => {
        const key = `${index} ${kind}`;
        if (kind === 'same') return <span key={key}>{text}</span>;
        const Mark = kind === 'added' ? 'ins' : 'del';
        return (
          <Mark key={key} className={styles[kind]}>
            <ShortText full={t(kind === 'added' ? 'marked_added' : 'marked_removed', { text })}>
              {text}
            </ShortText>
          </Mark>
        );
      })}
    </p>
  );
}

/** Scrolls to the target of a finding and focuses it; returns attributes for its element. */
export function useScrollToTarget<E extends HTMLElement>(
  isTarget: boolean,
): { ref: RefObject<E | null>; tabIndex?: -1 } {
  const ref = useRef<E>(null);
  useEffect(() => {
    if (!isTarget) return;
    // Of a field higher than half the window the top is shown.
    const isHigh = (ref.current?.offsetHeight ?? 0) > innerHeight / 2;
    ref.current?.scrollIntoView({ block: isHigh ? 'start' : 'center' });
    ref.current?.focus({ preventScroll: true });
  }, [isTarget]);
  return { ref, ...(isTarget && { tabIndex: -1 }) };
}
