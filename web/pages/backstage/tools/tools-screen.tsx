import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import PlugIcon from 'lucide-react/icons/plug';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { BACKSTAGE_PAGE_SIZE } from '../../../../shared/constants.ts';
import type { Proof } from '../../../../shared/entities/sign-in.ts';
import type { ManagedTool } from '../../../../shared/routes/tool.ts';
import { infiniteQueryOptionsOf, queryOptionsOf } from '../../../api/queries.ts';
import { QueryError } from '../../../features/plugins/query-error.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { Table } from '../../../ui/table/table.tsx';
import { PagedList } from '../../paged-list.tsx';
import { TrailTable } from '../audit-log/audit-log-table.tsx';
import { RemoveTool } from './remove-tool.tsx';
import { ToolForm } from './tool-form.tsx';
import { ToolRow } from './tool-row.tsx';
import styles from './tools-screen.module.css';

/** What is open above the list. */
type Open = { what: 'register' } | { what: 'edit' | 'remove'; tool: ManagedTool };

/** The design tools that may ask users for access, and how they are used. */
export function ToolsScreen() {
  const t = useTranslations('toolAdmin');
  const { data, error, isFetching, refetch } = useQuery(queryOptionsOf('listTools', {}));
  const [open, setOpen] = useState<Open>();
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          <Button variant="primary" disabled={!data} onClick={() => setOpen({ what: 'register' })}>
            {t('register')}
          </Button>
        }
      />
      {!data && error && <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {data?.tool_list.length === 0 && (
        <Notice icon={<PlugIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />
      )}
      {data && data.tool_list.length > 0 && (
        <ToolsTable
          tools={data.tool_list}
          busy={isFetching}
          onOpen={(what, tool) => setOpen({ what, tool })}
        />
      )}
      {data && open && <OpenDialog open={open} proof={data.proof} onClose={() => setOpen(undefined)} />}
      {/* Not before the list above has its height. */}
      {data && <ToolChanges />}
    </>
  );
}

function OpenDialog({ open, ...rest }: { open: Open; proof: Proof; onClose: () => void }) {
  if (open.what === 'remove') return <RemoveTool tool={open.tool} {...rest} />;
  return <ToolForm tool={open.what === 'edit' ? open.tool : undefined} {...rest} />;
}

type TableProps = {
  tools: readonly ManagedTool[];
  busy: boolean;
  onOpen: (what: 'edit' | 'remove', tool: ManagedTool) => void;
};

function ToolsTable({ tools, busy, onOpen }: TableProps) {
  const t = useTranslations('toolAdmin');
  return (
    <Table caption={t('title')} hideCaption busy={busy} width="wide" hasActions>
      <thead>
        <tr>
          <th scope="col">{t('tool')}</th>
          <th scope="col">{t('connects')}</th>
          <th scope="col">{t('addresses')}</th>
          <th scope="col">{t('scopes')}</th>
          <th scope="col">{t('people')}</th>
          <th scope="col">{t('last_used')}</th>
          <th scope="col">{t('actions')}</th>
        </tr>
      </thead>
      <tbody>
        {tools.map((tool) => (
          <ToolRow key={tool.client_id} tool={tool} onOpen={(what) => onOpen(what, tool)} />
        ))}
      </tbody>
    </Table>
  );
}

/** Log of changes to tools. */
function ToolChanges() {
  const t = useTranslations('toolAdmin');
  const query = useInfiniteQuery(infiniteQueryOptionsOf('listToolChanges', { limit: BACKSTAGE_PAGE_SIZE }));
  const entries = query.data?.pages.flatMap((page) => page.entry_list) ?? [];
  return (
    <section className={styles.changes} aria-labelledby="changes">
      <h2 id="changes" className={styles.heading}>
        {t('changes')}
      </h2>
      <PagedList query={query} isEmpty={entries.length === 0} empty={<p>{t('changes_none')}</p>}>
        <TrailTable caption={t('changes')} entries={entries} busy={false} />
      </PagedList>
    </section>
  );
}
