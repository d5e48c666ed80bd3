import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { DELETE_ACCOUNT_PATH } from '../../../../shared/constants.ts';
import type { TypedProof } from '../../../../shared/entities/sign-in.ts';
import { download } from '../../../api/download.ts';
import { useOperationBy } from '../../../api/use-operation.ts';
import { ProofDialog, useOwnProof } from '../../../features/second-factor/proof-dialog.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { AccountSection } from '../account-section.tsx';

/** Downloads all data about the viewer. */
export function ExportSection() {
  const t = useTranslations('account');
  return (
    <AccountSection title={t('export_title')} lead={t('export_lead')}>
      <ExportButton />
    </AccountSection>
  );
}

export function ExportButton() {
  const t = useTranslations('account');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="outline" onClick={() => setOpen(true)}>
        {t('export_button')}
      </Button>
      {isOpen && <ExportDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function ExportDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('account');
  const attempt = useOperationBy('exportAccount', (typed: TypedProof) => download('exportAccount', typed), {
    onSuccess: (content) => {
      saveFile(content, 'account.json');
      onClose();
    },
  });
  return (
    <ProofDialog
      proof={useOwnProof()}
      attempt={attempt}
      title={t('export_title')}
      confirmLabel={t('export_button')}
      onClose={onClose}
    >
      <p>{t('export_lead')}</p>
    </ProofDialog>
  );
}

/** Link to the page that deletes the account. */
export function DeleteSection() {
  const t = useTranslations('account');
  return (
    <AccountSection title={t('delete_title')} lead={t('delete_lead')}>
      <Link to={DELETE_ACCOUNT_PATH} className={buttonClass({ variant: 'outline' })}>
        {t('delete_open')}
      </Link>
    </AccountSection>
  );
}
