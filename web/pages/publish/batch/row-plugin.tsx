import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { pluginPath } from '../../../features/plugins/plugin-path.ts';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import type { BatchRow } from './batch-row.ts';
import type { Edit } from './batch-state.ts';
import styles from './batch-table.module.css';
import { RowIcon } from './row-icon.tsx';

type RowPluginProps = { row: BatchRow; isFixed: boolean; onEdit: (edit: Edit) => void };

/** Icon, name, and where the package stands: its file, and its place and line in there. */
export function RowPlugin({ row, isFixed, onEdit }: RowPluginProps) {
  const t = useTranslations('batch');
  const { item, name, state, edits } = row;
  const { fileName: file, index, origin } = item;
  const isOfList = origin.pointer !== '';
  const place = isOfList ? t('place', { file, position: index + 1, line: origin.line }) : file;
  const key = state.kind === 'done' ? state.result.plugin_key : undefined;
  return (
    <div className={styles.who}>
      <RowIcon icon={item.package?.icon ?? null} chosen={edits.pictures.icon} name={name} />
      <div className={styles.texts}>
        {key !== undefined ? (
          <Link className={styles.link} to={pluginPath(key)}>
            {name}
          </Link>
        ) : item.package === null ? (
          <span className={styles.fileName}>{file}</span>
        ) : (
          <TextField
            size="small"
            hideLabel
            label={t('name_of', { file: place })}
            value={name}
            disabled={isFixed}
            autoComplete="off"
            onValueChange={(next) => onEdit({ name: next })}
          />
        )}
        {(item.package !== null || isOfList) && <span className={styles.place}>{place}</span>}
        {item.package === null && (
          <span className={styles.wrong}>{t(item.isCutOff ? 'cut_off' : 'unreadable')}</span>
        )}
      </div>
    </div>
  );
}
