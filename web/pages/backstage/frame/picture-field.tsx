import ImageIcon from 'lucide-react/icons/image';
import { useEffect, useState } from 'react';
import { type Control, type FieldPathByValue, type FieldValues, useController } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { IMAGE_BYTES_MAX, IMAGE_TYPES } from '../../../../shared/constants.ts';
import { FileDrop } from '../../../ui/file-drop/file-drop.tsx';
import styles from './edit-dialogs.module.css';

type Props<V extends FieldValues, N extends FieldPathByValue<V, File | null>> = {
  control: Control<V>;
  name: N;
  label: string;
  hint?: string;
  /** URL of the stored picture, or null. */
  stored: string | null;
  /** Error without any picture; absent where none is required. */
  missing?: string;
};

/** A picture to choose, drop or paste: shows the new one, else the stored one. */
export function PictureField<V extends FieldValues, N extends FieldPathByValue<V, File | null>>({
  control,
  name,
  label,
  hint,
  stored,
  missing,
}: Props<V, N>) {
  const t = useTranslations('backstage');
  const { field, fieldState } = useController({
    control,
    name,
    rules: { validate: (picture: File | null) => ((picture ?? stored) ? undefined : missing) },
  });
  const chosen: File | null = field.value;
  const [preview, setPreview] = useState<string | null>(null);
  useEffect(() => {
    if (!chosen) return setPreview(null);
    const url = URL.createObjectURL(chosen);
    setPreview(url);
    return () => URL.revokeObjectURL(url);
  }, [chosen]);
  const shown = preview ?? stored;
  return (
    <FileDrop
      label={label}
      prompt={t('picture_prompt')}
      accept={IMAGE_TYPES}
      icon={<ImageIcon size={20} />}
      hint={hint}
      error={fieldState.error?.message}
      onFiles={([file]) => file && field.onChange(file)}
    >
      {shown && <img className={styles.picture} src={shown} alt="" />}
    </FileDrop>
  );
}

const TEXTS: Readonly<Record<string, 'image_format' | 'image_damaged' | 'image_size' | 'image_pixels'>> = {
  IMAGE_FORMAT: 'image_format',
  IMAGE_DAMAGED: 'image_damaged',
  UNSUPPORTED_MEDIA_TYPE: 'image_format',
  IMAGE_TOO_LARGE: 'image_size',
  IMAGE_TOO_MANY_PIXELS: 'image_pixels',
  BODY_TOO_LARGE: 'image_size',
};

/** Error text of a rejected upload, by its code. */
export function usePictureTexts(): Readonly<Record<string, string>> {
  const t = useTranslations('backstage');
  const size = IMAGE_BYTES_MAX / 1024 / 1024;
  return Object.fromEntries(Object.entries(TEXTS).map(([reason, text]) => [reason, t(text, { size })]));
}
