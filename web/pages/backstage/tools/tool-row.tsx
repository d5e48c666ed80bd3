import PencilIcon from 'lucide-react/icons/pencil';
import Trash2Icon from 'lucide-react/icons/trash-2';
import { useTranslations } from 'use-intl';
import type { ManagedTool } from '../../../../shared/routes/tool.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { ElapsedTime } from '../frame/date-time.tsx';
import { GRANT_TEXTS } from './grant-texts.ts';
import styles from './tools-screen.module.css';

type Props = { tool: ManagedTool; onOpen: (what: 'edit' | 'remove') => void };

/** One tool; those of the settings are only shown. */
export function ToolRow({ tool, onOpen }: Props) {
  const t = useTranslations('toolAdmin');
  const common = useTranslations('common');
  const { client_name: name, client_id, client_uri, is_configured, last_active_at, people } = tool;
  return (
    <tr>
      <th scope="row">
        <span className={styles.name}>
          {client_uri === null ? (
            name
          ) : (
            <a className={styles.home} href={client_uri} target="_blank" rel="noreferrer">
              {name}
            </a>
          )}
          {is_configured && <Badge>{t('configured')}</Badge>}
          <code className={styles.id}>{client_id}</code>
        </span>
      </th>
      <td data-label={t('connects')}>
        <Lines lines={tool.grant_types.map((grant) => t(GRANT_TEXTS[grant]))} />
      </td>
      <td data-label={t('addresses')}>
        {tool.redirect_uris.length === 0 ? '—' : <Lines lines={tool.redirect_uris} isCode />}
      </td>
      <td data-label={t('scopes')}>
        <Lines lines={tool.scope_list} isCode />
      </td>
      <td data-label={t('people')}>{t('people_count', { count: people })}</td>
      <td data-label={t('last_used')}>
        {last_active_at === null ? t('never') : <ElapsedTime at={last_active_at} />}
      </td>
      <td>
        {!is_configured && (
          <span className={styles.actions}>
            <IconButton
              label={common('edit_named', { name })}
              icon={<PencilIcon size={18} />}
              onClick={() => onOpen('edit')}
            />
            <IconButton
              label={t('remove_named', { name })}
              icon={<Trash2Icon size={18} />}
              onClick={() => onOpen('remove')}
            />
          </span>
        )}
      </td>
    </tr>
  );
}

function Lines({ lines, isCode = false }: { lines: readonly string[]; isCode?: boolean }) {
  return (
    <ul className={styles.lines}>
      {lines.map((line) => (
        <li key={line}>{isCode ? <code className={styles.code}>{line}</code> : line}</li>
      ))}
    </ul>
  );
}
