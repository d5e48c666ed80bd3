import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ReportSubject } from '../features/plugins/detail/report-dialog.tsx';
import { useDialogForMembers } from '../features/plugins/pending-dialog.ts';
import { Lazy } from '../loading/lazy.tsx';
import { lazyWithRetry } from '../loading/lazy-with-retry.ts';
import { Button } from '../ui/button/button.tsx';

const reportDialog = lazyWithRetry(
  async () => (await import('../features/plugins/detail/report-dialog.tsx')).ReportDialog,
);

/** Opens the form in which a plugin, a collection or a publisher is reported; visitors sign in first. */
export function ReportButton({ subject, name }: { subject: ReportSubject; name: string }) {
  const t = useTranslations('plugin');
  const session = useTranslations('session');
  const [isOpen, setIsOpen] = useState(false);
  const open = useDialogForMembers(`report ${Object.values(subject)}`, () => setIsOpen(true));
  return (
    <>
      <Button variant="quiet" size="s" onClick={() => open(session('ask_report', { name }))}>
        <CircleAlertIcon />
        {t('report')}
      </Button>
      {isOpen && (
        <Lazy part={reportDialog} onFailed={() => setIsOpen(false)}>
          {(ReportDialog) => <ReportDialog subject={subject} name={name} onClose={() => setIsOpen(false)} />}
        </Lazy>
      )}
    </>
  );
}
