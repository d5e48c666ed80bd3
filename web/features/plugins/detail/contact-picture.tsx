import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { queryOptionsOf } from '../../../api/queries.ts';
import styles from './plugin-facts.module.css';

/** The picture by which people join the feedback group, where contact is shown (specification section 3). */
export function ContactPicture() {
  const t = useTranslations('plugin');
  const { data } = useQuery(queryOptionsOf('readContact', {}));
  if (!data?.qr_code) return null;
  const { name, img_url } = data.qr_code;
  return (
    <figure className={styles.contact}>
      <img src={img_url} width={120} height={120} alt={t('contact_picture', { name })} loading="lazy" />
      <figcaption>{name}</figcaption>
    </figure>
  );
}
