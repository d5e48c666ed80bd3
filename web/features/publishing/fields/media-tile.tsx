import { useTranslations } from 'use-intl';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { TrashIcon } from '../../../ui/icon/action-icons.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../../ui/icon/arrow-icons.tsx';
import { PlayIcon } from '../../../ui/icon/media-icons.tsx';
import type { MediaChoice } from '../files/media-choice.ts';
import { useListingForm } from '../publish-form-context.ts';
import styles from './media-field.module.css';

type MediaTileProps = { choice: MediaChoice; place: number; count: number };

/** One picture or video, with the ways to move it and to take it out. */
export function MediaTile({ choice, place, count }: MediaTileProps) {
  const t = useTranslations('publish');
  const form = useTranslations('form');
  const { files } = useListingForm();
  const name = t(choice.kind === 'video' ? 'media_video' : 'media_image', { place: place + 1 });
  return (
    <li className={styles.tile}>
      {choice.kind === 'video' ? (
        <>
          <video
            className={styles.view}
            src={choice.url}
            muted
            playsInline
            preload="metadata"
            aria-label={name}
          />
          <span className={styles.play}>
            <PlayIcon size={14} />
          </span>
        </>
      ) : (
        <img className={styles.view} src={choice.url} alt={name} />
      )}
      <div className={styles.tools}>
        <IconButton
          size="s"
          variant="outline"
          label={form('move_earlier', { name })}
          icon={<ChevronLeftIcon />}
          disabled={place === 0}
          onClick={() => files.moveMedia(choice.id, -1)}
        />
        <IconButton
          size="s"
          variant="outline"
          label={form('move_later', { name })}
          icon={<ChevronRightIcon />}
          disabled={place === count - 1}
          onClick={() => files.moveMedia(choice.id, 1)}
        />
        <IconButton
          className={styles.remove}
          size="s"
          variant="outline"
          label={form('remove_named', { name })}
          icon={<TrashIcon size={15} />}
          onClick={() => files.removeMedia(choice.id)}
        />
      </div>
    </li>
  );
}
