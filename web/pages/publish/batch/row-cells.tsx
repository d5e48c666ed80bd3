import FileCodeIcon from 'lucide-react/icons/file-code';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { useParsingFailure } from '../../../features/findings/index.ts';
import { pluginPath } from '../../../features/plugins/plugin-path.ts';
import { Select } from '../../../ui/select/select.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import type { PictureChoice } from '../form/files.ts';
import { candidateOf, targetOf } from './batch-row.ts';
import { editRow } from './batch-state.ts';
import styles from './batch-table.module.css';
import { useRow } from './row-context.ts';

/** Icon, name, and origin of a package: file, index and line. */
export function RowPlugin() {
  const t = useTranslations('batch');
  const { row, isLocked, change } = useRow();
  const parsingFailure = useParsingFailure();
  const { item, name, state, edits } = row;
  const errors = item.findings.filter(({ severity }) => severity === 'error');
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
            disabled={isLocked}
            autoComplete="off"
            onValueChange={(next) => change((now) => editRow(now, row.id, { name: next }))}
          />
        )}
        {(item.package !== null || isOfList) && <span className={styles.place}>{place}</span>}
        {item.package === null && (
          <span className={styles.wrong}>{item.isCutOff ? t('cut_off') : parsingFailure(errors)}</span>
        )}
      </div>
    </div>
  );
}

type RowIconProps = { icon: Uint8Array | null; chosen: PictureChoice | undefined; name: string };

/** The chosen or packaged icon, else the first letter of the name. Decorative: the name is beside it. */
function RowIcon({ icon, chosen, name }: RowIconProps) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!icon) return setUrl(undefined);
    const made = URL.createObjectURL(new Blob([new Uint8Array(icon)]));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [icon]);
  const shown = chosen?.state === 'chosen' ? chosen.url : chosen ? undefined : url;
  if (shown !== undefined)
    return <img className={styles.icon} src={shown} alt="" onError={() => setUrl(undefined)} />;
  return (
    <span className={styles.letter} aria-hidden="true">
      {[...name][0] ?? <FileCodeIcon size={18} />}
    </span>
  );
}

/** The version number, editable until the row is accepted. */
export function RowVersion() {
  const t = useTranslations('batch');
  const { row, name, isLocked, change } = useRow();
  if (row.state.kind === 'done') return <span>{row.state.result.version ?? row.version}</span>;
  return (
    <TextField
      size="small"
      hideLabel
      label={t('version_of', { name })}
      value={row.version}
      placeholder="1.0.0"
      disabled={isLocked}
      autoComplete="off"
      spellCheck={false}
      onValueChange={(version) => change((now) => editRow(now, row.id, { version }))}
    />
  );
}

/** Option values besides plugin keys, which are longer. */
const NEW = 'new';
const AUTOMATIC = 'auto';

/** Target of a package: a new plugin, or a version of an existing one. */
export function RowTarget() {
  const t = useTranslations('batch');
  const { row, name, isLocked, change } = useRow();
  const target = targetOf(row);
  const candidates = row.match?.candidates ?? [];
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
      disabled={isLocked}
      onChange={(value) => {
        if (value === AUTOMATIC) return;
        change((now) => editRow(now, row.id, { chosen: value === NEW ? null : value }));
      }}
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
