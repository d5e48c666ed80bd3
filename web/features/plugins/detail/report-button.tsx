import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button/button.tsx';
import { AlertIcon } from '../../../ui/icon/state-icons.tsx';
import { useVisitor } from '../visitor-context.ts';

const ReportDialog = lazy(async () => ({ default: (await import('./report-dialog.tsx')).ReportDialog }));

/** Tells the administrators of a plugin that should not be as it is. */
export function ReportButton({ pluginKey, name }: { pluginKey: string; name: string }) {
  const t = useTranslations('plugin');
  const { signedIn, startSignIn } = useVisitor();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" size="s" onClick={() => (signedIn ? setIsOpen(true) : startSignIn())}>
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
