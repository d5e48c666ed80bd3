import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { QrCode } from '../../../../shared/entities/site.ts';
import { call } from '../../../api/client.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { Button } from '../../../ui/button/button.tsx';
import { QrIcon } from '../../../ui/icon/backstage-icons.tsx';
import { PlusIcon } from '../../../ui/icon/sign-icons.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { PagedList } from '../../paged-list.tsx';
import { DeleteDialog } from '../frame/delete-dialog.tsx';
import { EditQrCode } from './edit-qr-code.tsx';
import { QrCodeCard } from './qr-code-card.tsx';
import styles from './qr-codes-screen.module.css';

type Task = { kind: 'add' } | { kind: 'edit' | 'delete'; code: QrCode };

/** Pictures that people scan; one of them is how they join the feedback group. */
export function QrCodesScreen() {
  const t = useTranslations('qrCodes');
  const queryClient = useQueryClient();
  const [task, setTask] = useState<Task>();
  const query = useQuery(queryOptionsOf('listQrCodes', {}));
  const codes = query.data?.qr_code_list ?? [];
  const close = (): void => setTask(undefined);
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          <Button variant="primary" onClick={() => setTask({ kind: 'add' })}>
            <PlusIcon />
            {t('add')}
          </Button>
        }
      />
      <PagedList
        query={query}
        isEmpty={codes.length === 0}
        empty={<Notice icon={<QrIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
      >
        <ul className={styles.grid} aria-label={t('title')}>
          {codes.map((code) => (
            <QrCodeCard
              key={code.id}
              code={code}
              onEdit={() => setTask({ kind: 'edit', code })}
              onDelete={() => setTask({ kind: 'delete', code })}
            />
          ))}
        </ul>
      </PagedList>
      {task && task.kind !== 'delete' && (
        <EditQrCode code={task.kind === 'edit' ? task.code : undefined} onClose={close} />
      )}
      {task?.kind === 'delete' && (
        <DeleteDialog
          texts="qrCodes"
          name={task.code.name}
          remove={() => call('deleteQrCode', { id: task.code.id })}
          refresh={() => queryClient.invalidateQueries({ queryKey: ['listQrCodes'] })}
          onClose={close}
        >
          {t(task.code.is_contact ? 'delete_contact_text' : 'delete_text')}
        </DeleteDialog>
      )}
    </>
  );
}
