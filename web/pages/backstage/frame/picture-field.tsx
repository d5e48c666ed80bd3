import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
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
