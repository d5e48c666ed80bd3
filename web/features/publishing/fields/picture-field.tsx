import { useTranslations } from 'use-intl';
import { pictureUrl } from '../../../../shared/media.ts';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { FileDrop } from '../../../ui/file-drop/file-drop.tsx';
import { TrashIcon } from '../../../ui/icon/action-icons.tsx';
import { ImageIcon } from '../../../ui/icon/file-icons.tsx';
import { type PictureName, shownPicture } from '../files/picture-choice.ts';
import { useListingForm } from '../publish-form-context.ts';
import { FormField } from './form-field.tsx';
import styles from './picture-field.module.css';

export const PICTURE_TYPES = 'image/png,image/jpeg,image/webp,image/gif,image/avif,image/heic';

/** One of the three pictures a listing has at most one of each. */
export function PictureField({ name }: { name: PictureName }) {
  const t = useTranslations('publish');
  const form = useTranslations('form');
  const { files, problemAt } = useListingForm();
  const picture = shownPicture(files.files[name]);
  const label = t(name);
  return (
    <FormField name={name}>
      <FileDrop
        label={label}
        note={form('optional')}
        prompt={name === 'icon' ? form('drop_short') : form('drop_image')}
        hint={t(`${name}_hint`)}
        error={problemAt(`/${name}`)}
        accept={PICTURE_TYPES}
        icon={<ImageIcon size={20} />}
        shape={name === 'icon' ? 'square' : 'picture'}
        onFiles={([file]) => file && void files.choosePicture(name, file)}
      >
        {picture && (
          <>
            <img
              className={name === 'icon' ? styles.icon : styles.picture}
              src={pictureUrl(picture.key, picture.widths.at(-1) ?? picture.width)}
              alt={t('picture_chosen', { name: label })}
            />
            <IconButton
              className={styles.remove}
              size="s"
              variant="outline"
              label={form('remove_named', { name: label })}
              icon={<TrashIcon size={15} />}
              onClick={() => files.removePicture(name)}
            />
          </>
        )}
      </FileDrop>
    </FormField>
  );
}
