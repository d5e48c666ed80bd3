import { pictureSrcset, pictureUrl } from '../../../shared/media.ts';
import type { CollectionSummary } from '../../../shared/routes/collection.ts';
import { PluginIcon } from '../plugins/index.ts';
import styles from './collection-cover.module.css';

type Props = Pick<CollectionSummary, 'icons'> & { picture?: CollectionSummary['picture'] | undefined };

/** The cover of a collection: its picture, or the icons of its first plugins. Decorative: the title is beside it. */
export function CollectionCover({ icons, picture }: Props) {
  if (picture)
    return (
      <img
        className={styles.picture}
        src={pictureUrl(picture.key, picture.widths[0] ?? picture.width)}
        srcSet={pictureSrcset(picture.key, picture.widths)}
        sizes="104px"
        width={104}
        height={104}
        loading="lazy"
        decoding="async"
        alt=""
      />
    );
  return (
    <span className={styles.cover} data-count={icons.length} aria-hidden="true">
      {icons.map(({ name, icon }, index) => (
        <PluginIcon key={`${index} ${name}`} icon={icon} name={name} size={36} />
      ))}
    </span>
  );
}
