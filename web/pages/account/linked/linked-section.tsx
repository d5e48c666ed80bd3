import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { LinkedSignIn } from '../../../../shared/routes/linked-sign-in.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { QueryError } from '../../../features/plugins/query-error.tsx';
import { FramedRows } from '../../../ui/framed-rows/framed-rows.tsx';
import { AccountSection } from '../account-section.tsx';
import { LinkedRow } from './linked-row.tsx';
import { UnlinkDialog } from './unlink-dialog.tsx';

/** The accounts elsewhere by which the viewer signs in, and unlinking them; without any there is nothing to see. */
export function LinkedSection() {
  const t = useTranslations('account');
  const { data, error, isFetching, refetch } = useQuery(queryOptionsOf('listLinkedSignIns', {}));
  const [asked, setAsked] = useState<LinkedSignIn>();
  if (!error && (data === undefined || data.linked_list.length === 0)) return null;
  return (
    <AccountSection title={t('linked_title')} lead={t('linked_lead')}>
      {!data && error && <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {data && (
        <FramedRows>
          {data.linked_list.map((linked) => (
            <LinkedRow key={linked.link_id} linked={linked} onUnlink={() => setAsked(linked)} />
          ))}
        </FramedRows>
      )}
      {data && asked && (
        <UnlinkDialog linked={asked} proof={data.proof} onClose={() => setAsked(undefined)} />
      )}
    </AccountSection>
  );
}
