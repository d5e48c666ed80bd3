import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button/button.tsx';
import { AlertIcon } from '../../../ui/icon/state-icons.tsx';
import { useVisitor } from '../visitor-context.ts';

const ReportDialog = lazy(async () => ({ default: (await import('./report-dialog.tsx')).ReportDialog }));

/** Tells the administrators of a plugin that should not be as it is. */
export function ReportButton({ pluginKey, name }: { pluginKey: string; name: string }) {
  const t = useTranslations('plugin');
  const session = useTranslations('session');
  const { signedIn, startSignIn } = useVisitor();
  const [isOpen, setIsOpen] = useState(false);
  const open = (): void => {
    if (signedIn) setIsOpen(true);
    else startSignIn(undefined, session('ask_report', { name }));
  };
  return (
    <>
      <Button variant="quiet" size="s" onClick={open}>
        <AlertIcon />
        {t('report')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ReportDialog pluginKey={pluginKey} name={name} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
