import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import type { Tag } from '../../../shared/entities/plugin.ts';
import { chipClass } from '../../ui/chip/chip-class.ts';
import styles from './plugin-card.module.css';
import { queryOf } from './plugin-filter.ts';

/** Tags, each linked to the plugins with it. */
export function PluginTags({ tags }: { tags: Tag[] }) {
  const t = useTranslations('plugin');
  if (tags.length === 0) return null;
  return (
    <ul className={styles.tags} aria-label={t('tags')}>
      {tags.map(({ id, name }) => (
        <li key={id}>
          <Link
            to={`${BASE_PATH}${queryOf({ tag_id: id, keyword: '' })}`}
            className={chipClass({ small: true })}
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
