import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useOperation } from '../../api/use-operation.ts';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';

/** Removes the domain, and the mark that names it. */
export function RemoveDomain({ domain }: { domain: string }) {
  const t = useTranslations('verification');
  const [isOpen, setIsOpen] = useState(false);
  const { mutate, isPending, failure, reset } = useOperation('removeOwnDomain', () => ({}), {
    done: t('removed'),
  });
  return (
    <div>
      <Button
        variant="quiet"
        size="s"
        onClick={() => {
          reset();
          setIsOpen(true);
        }}
      >
        {t('remove')}
      </Button>
      <ConfirmDialog
        open={isOpen}
        title={t('remove_title', { domain })}
        confirmLabel={t('remove')}
        tone="danger"
        busy={isPending}
        error={failure}
        onConfirm={() => mutate()}
        onClose={() => setIsOpen(false)}
      >
        <p>{t('remove_text')}</p>
      </ConfirmDialog>
    </div>
  );
}
