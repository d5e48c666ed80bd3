import { useTranslations } from 'use-intl';
import { Select } from '../../../ui/select/select.tsx';
import { type BatchRow, candidateOf, targetOf } from './batch-row.ts';
import styles from './batch-table.module.css';

type RowTargetProps = { row: BatchRow; isFixed: boolean; onChoose: (target: string | null) => void };

/** Values of the choice beside the keys of plugins, which are longer. */
const NEW = 'new';
const AUTOMATIC = 'auto';

/** What a package becomes: a new plugin, or a version of one that is there. */
export function RowTarget({ row, isFixed, onChoose }: RowTargetProps) {
  const t = useTranslations('batch');
  const target = targetOf(row);
  const candidates = row.match?.candidates ?? [];
  const name = row.name || row.item.fileName;
  if (row.state.kind === 'done') {
    const { is_new_version: isVersion = false } = row.state.result;
    return (
      <span>{isVersion ? t('target_of', { name: candidateOf(row)?.name ?? name }) : t('target_new')}</span>
    );
  }
  if (row.match && candidates.length === 0) return <span>{t('target_new')}</span>;
  return (
    <Select
      className={styles.select}
      size="small"
      hideLabel
      label={t('target_label', { name })}
      value={target === undefined ? AUTOMATIC : (target ?? NEW)}
      disabled={isFixed}
      onChange={(value) => value !== AUTOMATIC && onChoose(value === NEW ? null : value)}
      options={[
        ...(target === undefined ? [{ value: AUTOMATIC, label: t('target_auto') }] : []),
        { value: NEW, label: t('target_new') },
        ...candidates.map((candidate) => ({
          value: candidate.plugin_key,
          label: t('target_version', { name: candidate.name, version: candidate.last_version }),
        })),
      ]}
    />
  );
}
