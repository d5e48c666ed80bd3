import { useTranslations } from 'use-intl';
import { MediaField } from '../fields/media-field.tsx';
import { PictureField } from '../fields/picture-field.tsx';
import styles from './pictures-section.module.css';
import { Section } from './section.tsx';

/** Icon, cover, panel image, and the gallery. */
export function PicturesSection() {
  const t = useTranslations('publish');
  return (
    <Section title={t('pictures')} lead={t('pictures_lead')}>
      <div className={styles.pictures}>
        <PictureField name="icon" />
        <PictureField name="cover" />
        <PictureField name="panel" />
      </div>
      <MediaField />
    </Section>
  );
}
