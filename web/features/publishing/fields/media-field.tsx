import { useTranslations } from 'use-intl';
import { MEDIA_MAX } from '../../../../shared/constants.ts';
import { FileDrop } from '../../../ui/file-drop/file-drop.tsx';
import { PlusIcon } from '../../../ui/icon/sign-icons.tsx';
import { useListingForm } from '../publish-form-context.ts';
import { FormField } from './form-field.tsx';
import styles from './media-field.module.css';
import { MediaTile } from './media-tile.tsx';
import { PICTURE_TYPES } from './picture-field.tsx';

const MEDIA_TYPES = `${PICTURE_TYPES},video/mp4,video/webm`;

/** Pictures and videos of the plugin's page, in their order; three at most. */
export function MediaField() {
  const t = useTranslations('publish');
  const form = useTranslations('form');
  const { files, problemAt } = useListingForm();
  const { media } = files.files;
  const isFull = media.length >= MEDIA_MAX;
  return (
    <FormField name="media">
      <div className={styles.field}>
        <FileDrop
          label={t('media')}
          note={`${media.length}/${MEDIA_MAX}`}
          prompt={isFull ? t('media_full', { count: MEDIA_MAX }) : form('drop_media')}
          hint={t('media_hint')}
          error={problemAt('/media')}
          accept={MEDIA_TYPES}
          icon={<PlusIcon size={20} />}
          multiple
          disabled={isFull}
          onFiles={(added) => void files.addMedia(added)}
        />
        {media.length > 0 && (
          <ul className={styles.row} aria-label={t('media')}>
            {media.map((choice, place) => (
              <MediaTile key={choice.id} choice={choice} place={place} count={media.length} />
            ))}
          </ul>
        )}
      </div>
    </FormField>
  );
}
