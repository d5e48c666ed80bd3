import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isApiError } from '../../../api/api-error.ts';
import { FileDrop } from '../../../ui/file-drop/file-drop.tsx';
import { ImageIcon } from '../../../ui/icon/file-icons.tsx';
import styles from './picture-field.module.css';

type Props = {
  label: string;
  hint?: string;
  error?: string | undefined;
  /** Address of the picture that is kept, or null. */
  kept: string | null;
  chosen: File | null;
  onChoose: (file: File) => void;
};

/** A picture to be chosen, dropped or pasted: the chosen one is shown, else the one that is kept. */
export function PictureField({ label, hint, error, kept, chosen, onChoose }: Props) {
  const t = useTranslations('backstage');
  const [preview, setPreview] = useState<string | null>(null);
  useEffect(() => {
    if (!chosen) return setPreview(null);
    const url = URL.createObjectURL(chosen);
    setPreview(url);
    return () => URL.revokeObjectURL(url);
  }, [chosen]);
  const shown = preview ?? kept;
  return (
    <FileDrop
      label={label}
      prompt={t('picture_prompt')}
      accept="image/*"
      icon={<ImageIcon size={20} />}
      hint={hint}
      error={error}
      onFiles={([file]) => file && onChoose(file)}
    >
      {shown && <img className={styles.picture} src={shown} alt="" />}
    </FileDrop>
  );
}

/** Texts of the namespace `backstage` that say what is wrong with a picture. */
type PictureText = 'image_format' | 'image_size' | 'image_pixels';

const TEXTS: Readonly<Record<string, PictureText>> = {
  IMAGE_FORMAT: 'image_format',
  UNSUPPORTED_MEDIA_TYPE: 'image_format',
  IMAGE_TOO_LARGE: 'image_size',
  IMAGE_TOO_MANY_PIXELS: 'image_pixels',
  BODY_TOO_LARGE: 'image_size',
};

/** What a refused upload says of its picture, or undefined when it was about something else. */
export function pictureProblem(error: unknown): PictureText | undefined {
  return isApiError(error) && error.reason ? TEXTS[error.reason] : undefined;
}
