import RefreshCwIcon from 'lucide-react/icons/refresh-cw';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Installation } from '../../../shared/entities/plugin.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Button } from '../../ui/button/button.tsx';
import type { ButtonLook } from '../../ui/button/button-class.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';
import { ShortText } from '../../ui/visually-hidden/short-text.tsx';
import { NewRights } from './new-rights.tsx';

type UpdateOfferProps = ButtonLook & {
  plugin: { plugin_key: string; name: string };
  installation: Pick<Installation, 'version' | 'update'>;
};

/**
 * Offers a version that needs more permissions and lists them before it is accepted; nothing without such a version.
 */
export function UpdateOffer({ plugin, installation, ...rest }: UpdateOfferProps) {
  const t = useTranslations('installation');
  const [isOpen, setOpen] = useState(false);
  const { update } = installation;
  const { mutate, isPending, failure, reset } = useOperation(
    'acceptUpdate',
    (version: string) => ({ plugin_key: plugin.plugin_key, version }),
    {
      done: (_told, version) => t('updated', { version }),
      failed: t('update_failed'),
      onSuccess: () => setOpen(false),
    },
  );
  if (!update) return null;
  const { version, domains, permissions } = update;
  const open = (): void => {
    reset();
    setOpen(true);
  };
  return (
    <>
      <Button {...rest} onClick={open}>
        <RefreshCwIcon size={14} />
        <ShortText full={t('update_available_named', { name: plugin.name })}>
          {t('update_available')}
        </ShortText>
      </Button>
      <ConfirmDialog
        open={isOpen}
        title={t('update_title', { name: plugin.name, version })}
        confirmLabel={t('accept')}
        cancelLabel={t('not_now')}
        busy={isPending}
        error={failure}
        onConfirm={() => mutate(version)}
        onClose={() => setOpen(false)}
      >
        <p>{t(installation.version === '' ? 'update_none' : 'update_text', { version })}</p>
        <NewRights domains={domains} permissions={permissions} />
      </ConfirmDialog>
    </>
  );
}
