import { useTranslations } from 'use-intl';
import type { MediaItem } from '../../../../../shared/entities/plugin.ts';
import { pictureUrl } from '../../../../../shared/media.ts';
import { Badge } from '../../../../ui/badge/badge.tsx';
import { classNames } from '../../../../ui/class-names.ts';
import styles from './listing.module.css';
import { isMediaChanged, mediaKey } from './listing-fields.ts';
import { useSought } from './use-sought.ts';

type Props = {
  before: readonly MediaItem[] | undefined;
  after: readonly MediaItem[];
  name: string;
  isSought: boolean;
};

/** Pictures and videos as they were and as they are to be, in their order. */
export function MediaDifference({ before, after, name, isSought }: Props) {
  const sought = useSought<HTMLDivElement>(isSought);
  const t = useTranslations('review');
  const isPair = before !== undefined && isMediaChanged(before, after);
  const keys = (items: readonly MediaItem[]) => new Set(items.map(mediaKey));
  return (
    <div className={classNames(styles.field, isSought && styles.sought)} {...sought}>
      <dt className={styles.label}>{t('field_media')}</dt>
      <dd className={styles.pictures}>
        {isPair && (
          <Row label={t('before')} items={before} name={name} kept={keys(after)} mark={t('mark_removed')} />
        )}
        <Row
          label={isPair ? t('after') : undefined}
          items={after}
          name={name}
          kept={keys(isPair ? before : after)}
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
  /** What the other side has too. */
  kept: ReadonlySet<string>;
  mark: string;
};

function Row({ label, items, name, kept, mark }: RowProps) {
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
            {!kept.has(mediaKey(item)) && <Badge tone="brand">{mark}</Badge>}
          </li>
        ))}
      </ol>
    </figure>
  );
}
