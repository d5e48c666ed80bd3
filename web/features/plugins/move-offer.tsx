import ArrowRightIcon from 'lucide-react/icons/arrow-right';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { InstalledDeprecation } from '../../../shared/entities/plugin.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Button } from '../../ui/button/button.tsx';
import type { ButtonLook } from '../../ui/button/button-class.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';
import { NewRights } from './new-rights.tsx';

type MoveOfferProps = ButtonLook & {
  plugin: { plugin_key: string; name: string };
  successor: NonNullable<InstalledDeprecation['successor']>;
};

/** Replaces an installed plugin by its successor: at once, or after what it asks for beyond the accepted rights was read. */
export function MoveOffer({ plugin, successor, ...look }: MoveOfferProps) {
  const t = useTranslations('deprecation');
  const installation = useTranslations('installation');
  const toast = useTranslations('toast');
  const [isOpen, setOpen] = useState(false);
  const { plugin_key, name: old } = plugin;
  const { plugin_key: successor_key, name, version, domains, permissions } = successor;
  const asksForMore = domains.length > 0 || permissions.length > 0;
  const { mutate, isPending, failure, reset } = useOperation(
    'moveToSuccessor',
    () => ({ plugin_key, successor_key, version }),
    {
      done: t('moved', { name, old }),
      failed: t('move_failed'),
      errorMessages: { CONFLICT: toast('install_changed') },
      ...(!asksForMore && { failsIn: 'toast' as const }),
      onSuccess: () => setOpen(false),
    },
  );
  const start = (): void => {
    reset();
    if (asksForMore) setOpen(true);
    else mutate();
  };
  return (
    <>
      <Button {...look} busy={isPending && !isOpen} onClick={start}>
        <ArrowRightIcon size={14} />
        {t('move', { name })}
      </Button>
      <ConfirmDialog
        open={isOpen}
        title={t('move_title', { name })}
        confirmLabel={installation('accept')}
        cancelLabel={installation('not_now')}
        busy={isPending}
        error={failure}
        onConfirm={() => mutate()}
        onClose={() => setOpen(false)}
      >
        <p>{t('move_text', { name, version, old })}</p>
        <NewRights domains={domains} permissions={permissions} />
      </ConfirmDialog>
    </>
  );
}
