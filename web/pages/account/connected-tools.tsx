import { useQuery } from '@tanstack/react-query';
import PlugIcon from 'lucide-react/icons/plug';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { ConnectedTool } from '../../../shared/routes/oauth.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { useOperation } from '../../api/use-operation.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { ToolRights } from '../../features/tools/tool-rights.tsx';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';
import { FactRow } from '../../ui/fact-row/fact-row.tsx';
import { FramedRows } from '../../ui/framed-rows/framed-rows.tsx';
import { useTimeAgo } from '../../ui/use-time-ago.ts';
import { ShortText } from '../../ui/visually-hidden/short-text.tsx';
import { AccountSection } from './account-section.tsx';
import styles from './connected-tools.module.css';

/** The design tools that may act for the viewer; absent where no tool can ask. */
export function ConnectedToolsSection() {
  const t = useTranslations('account');
  const { data, error, isFetching, refetch } = useQuery(queryOptionsOf('listConnectedTools', {}));
  const [target, setTarget] = useState<ConnectedTool>();
  if (!error && (data === undefined || (data.tool_list.length === 0 && !data.is_offered))) return null;
  return (
    <AccountSection title={t('tools_title')} lead={t('tools_lead')}>
      {!data && error && <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {data?.tool_list.length === 0 && <p>{t('tools_none')}</p>}
      {data && data.tool_list.length > 0 && (
        <FramedRows>
          {data.tool_list.map((tool) => (
            <ToolRow key={tool.client_id} tool={tool} onDisconnect={() => setTarget(tool)} />
          ))}
        </FramedRows>
      )}
      {target && <DisconnectDialog tool={target} onClose={() => setTarget(undefined)} />}
    </AccountSection>
  );
}

type ToolRowProps = { tool: ConnectedTool; onDisconnect: () => void };

/** One tool: what it may do, since when, and its last use. */
function ToolRow({ tool, onDisconnect }: ToolRowProps) {
  const t = useTranslations('account');
  const format = useFormatter();
  const ago = useTimeAgo();
  const { client_name: name, client_uri, scope_list, connected_at, last_active_at, connections } = tool;
  const since = format.dateTime(new Date(connected_at), { dateStyle: 'medium' });
  return (
    <FactRow
      icon={<PlugIcon size={18} />}
      name={name}
      beside={client_uri && <span className={styles.host}>{new URL(client_uri).host}</span>}
      facts={[
        t('tool_since', { when: since }),
        t('tool_used', { when: ago(last_active_at) }),
        ...(connections > 1 ? [t('tool_connections', { count: connections })] : []),
      ]}
      action={
        <Button variant="outline" size="s" onClick={onDisconnect}>
          <ShortText full={t('tool_out_named', { name })}>{t('tool_out')}</ShortText>
        </Button>
      }
    >
      <ToolRights scopes={scope_list} />
    </FactRow>
  );
}

type DisconnectDialogProps = { tool: ConnectedTool; onClose: () => void };

function DisconnectDialog({ tool, onClose }: DisconnectDialogProps) {
  const t = useTranslations('account');
  const { client_id, client_name: name } = tool;
  const attempt = useOperation('disconnectTool', () => ({ client_id }), {
    done: t('tool_out_done', { name }),
    failed: t('tool_out_failed'),
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      open
      title={t('tool_out_title', { name })}
      confirmLabel={t('tool_out')}
      tone="danger"
      busy={attempt.isPending}
      error={attempt.failure}
      onConfirm={() => attempt.mutate()}
      onClose={onClose}
    >
      <p>{t('tool_out_text')}</p>
    </ConfirmDialog>
  );
}
