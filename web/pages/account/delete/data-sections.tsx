import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { DELETE_ACCOUNT_PATH } from '../../../../shared/constants.ts';
import { download } from '../../../api/download.ts';
import { errorText } from '../../../api/error-text.ts';
import { Button } from '../../../ui/button/button.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { AccountSection } from '../account-section.tsx';
import styles from './delete-page.module.css';

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
  const t = useTranslations();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => download('exportAccount', {}),
    onSuccess: (content) => saveFile(content, 'account.json'),
  });
  return (
    <>
      <Button variant="outline" busy={isPending} onClick={() => mutate()}>
        {t('account.export_button')}
      </Button>
      {error && (
        <p className={styles.problem} role="alert">
          {t(`error.${errorText(error)}`)}
        </p>
      )}
    </>
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
