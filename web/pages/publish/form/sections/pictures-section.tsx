import ChevronLeftIcon from 'lucide-react/icons/chevron-left';
import ChevronRightIcon from 'lucide-react/icons/chevron-right';
import ImageIcon from 'lucide-react/icons/image';
import PlayIcon from 'lucide-react/icons/play';
import PlusIcon from 'lucide-react/icons/plus';
import SquareSplitIcon from 'lucide-react/icons/square-split-horizontal';
import TrashIcon from 'lucide-react/icons/trash';
import { useTranslations } from 'use-intl';
import { IMAGE_TYPES, MEDIA_MAX, VIDEO_TYPES } from '../../../../../shared/constants.ts';
import { pictureUrl } from '../../../../../shared/media.ts';
import { IconButton } from '../../../../ui/button/icon-button.tsx';
import { FileDrop } from '../../../../ui/file-drop/file-drop.tsx';
import { canCompare, type MediaChoice, PICTURES, type PictureName, shownPicture } from '../files.ts';
import { useForm } from '../use-form.ts';
import styles from './pictures-section.module.css';
import { FormField, FormSection } from './section.tsx';

/** Icon, cover, panel image and gallery. */
export function PicturesSection() {
  const t = useTranslations('publish');
  return (
    <FormSection title={t('pictures')} lead={t('pictures_lead')}>
      <div className={styles.pictures}>
        {PICTURES.map((name) => (
          <PublishPictureField key={name} name={name} />
        ))}
      </div>
      <MediaField />
    </FormSection>
  );
}

/** One of the three pictures that a listing has at most one of each. */
function PublishPictureField({ name }: { name: PictureName }) {
  const t = useTranslations('publish');
  const form = useTranslations('form');
  const { state, problemAt, choosePicture, removePicture } = useForm();
  const picture = shownPicture(state.files[name]);
  const label = t(name);
  return (
    <FormField name={name}>
      <FileDrop
        label={label}
        note={form('optional')}
        prompt={name === 'icon' ? form('drop_short') : form('drop_image')}
        hint={t(`${name}_hint`)}
        error={problemAt(`/${name}`)}
        accept={IMAGE_TYPES}
        icon={<ImageIcon size={20} />}
        shape={name === 'icon' ? 'square' : 'picture'}
        onFiles={([file]) => file && void choosePicture(name, file)}
      >
        {picture && (
          <>
            <img
              className={name === 'icon' ? styles.icon : styles.picture}
              src={pictureUrl(picture.key, picture.widths.at(-1) ?? picture.width)}
              alt={t('picture_chosen', { name: label })}
            />
            <IconButton
              className={styles.removePicture}
              size="s"
              variant="outline"
              label={form('remove_named', { name: label })}
              icon={<TrashIcon size={15} />}
              onClick={() => removePicture(name)}
            />
          </>
        )}
      </FileDrop>
    </FormField>
  );
}

/** Pictures and videos of the plugin's page, in order; three at most. */
function MediaField() {
  const t = useTranslations('publish');
  const form = useTranslations('form');
  const { state, problemAt, addMedia } = useForm();
  const { media } = state.files;
  const isFull = media.length >= MEDIA_MAX;
  return (
    <FormField name="media">
      <div className={styles.media}>
        <FileDrop
          label={t('media')}
          note={`${media.length}/${MEDIA_MAX}`}
          prompt={isFull ? t('media_full', { count: MEDIA_MAX }) : form('drop_media')}
          hint={t('media_hint')}
          error={problemAt('/media')}
          accept={`${IMAGE_TYPES},${VIDEO_TYPES}`}
          icon={<PlusIcon size={20} />}
          multiple
          disabled={isFull}
          onFiles={(added) => void addMedia(added)}
          onLeftOut={(added) => void addMedia(added)}
        />
        {media.length > 0 && (
          <ul className={styles.row} aria-label={t('media')}>
            {media.map((choice, place) => (
              <MediaTile key={choice.id} choice={choice} place={place} media={media} />
            ))}
          </ul>
        )}
        {media.some(({ kind }) => kind === 'image') && (
          <p className={styles.hint}>{t('media_compare_hint')}</p>
        )}
      </div>
    </FormField>
  );
}

type TileProps = { choice: MediaChoice; place: number; media: readonly MediaChoice[] };

/** One picture or video, with buttons to move and remove it. */
function MediaTile({ choice, place, media }: TileProps) {
  const t = useTranslations('publish');
  const form = useTranslations('form');
  const { moveMedia, removeMedia } = useForm();
  const { id, kind, url } = choice;
  const part = choice.isBefore ? 'before' : media[place + 1]?.isBefore ? 'after' : undefined;
  const name = t(kind === 'video' ? 'media_video' : part ? `media_${part}` : 'media_image', {
    place: place + 1,
  });
  return (
    <li className={styles.tile}>
      {part && (
        <span className={styles.part} aria-hidden="true">
          {t(part)}
        </span>
      )}
      {kind === 'video' ? (
        <>
          <video className={styles.view} src={url} muted playsInline preload="metadata" aria-label={name} />
          <span className={styles.play}>
            <PlayIcon size={14} fill="currentColor" />
          </span>
        </>
      ) : (
        <img className={styles.view} src={url} alt={name} />
      )}
      <div className={styles.tools}>
        <IconButton
          size="s"
          variant="outline"
          label={form('move_earlier', { name })}
          icon={<ChevronLeftIcon />}
          disabled={place === 0}
          onClick={() => moveMedia(id, -1)}
        />
        <IconButton
          size="s"
          variant="outline"
          label={form('move_later', { name })}
          icon={<ChevronRightIcon />}
          disabled={place === media.length - 1}
          onClick={() => moveMedia(id, 1)}
        />
        <CompareButton {...{ choice, place, media }} />
        <IconButton
          className={styles.removeMedia}
          size="s"
          variant="outline"
          label={form('remove_named', { name })}
          icon={<TrashIcon size={15} />}
          onClick={() => removeMedia(id)}
        />
      </div>
    </li>
  );
}

/** Makes a picture the *before* of the one right before it, where it can be. */
function CompareButton({ choice: { id, isBefore }, place, media }: TileProps) {
  const t = useTranslations('publish');
  const { toggleBefore } = useForm();
  if (!canCompare(media, place)) return null;
  return (
    <IconButton
      size="s"
      variant="outline"
      label={t('media_compare', { place: place + 1, other: place })}
      aria-pressed={isBefore === true}
      icon={<SquareSplitIcon />}
      onClick={() => toggleBefore(id)}
    />
  );
}
