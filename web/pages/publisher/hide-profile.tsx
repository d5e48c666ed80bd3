import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { Publisher } from '../../../shared/entities/publisher.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Button } from '../../ui/button/button.tsx';
import { EditDialog } from '../backstage/frame/edit-dialogs.tsx';
import { ReasonField } from './reason-field.tsx';

/** For administrators: hides what a publisher says about themselves, or shows it again. */
export function HideProfile({ publisher }: { publisher: Publisher }) {
  const t = useTranslations('publisher');
  const [isOpen, setIsOpen] = useState(false);
  const { user_id, hidden_reason, about, links } = publisher;
  const show = useOperation('hideProfile', () => ({ user_id, is_hidden: false }), {
    done: t('now_shown'),
    failsIn: 'toast',
  });
  if (hidden_reason !== undefined)
    return (
      <Button variant="outline" size="s" busy={show.isPending} onClick={() => show.mutate()}>
        {t('show')}
      </Button>
    );
  if (about === '' && links.length === 0) return null;
  return (
    <>
      <Button variant="outline" size="s" onClick={() => setIsOpen(true)}>
        {t('hide')}
      </Button>
      {isOpen && <HideDialog publisher={publisher} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function HideDialog({
  publisher: { user_id, nick_name },
  onClose,
}: {
  publisher: Publisher;
  onClose: () => void;
}) {
  const t = useTranslations('publisher');
  const form = useForm({ defaultValues: { reason: '' } });
  return (
    <EditDialog
      title={t('hide_title', { publisher: nick_name })}
      confirmLabel={t('hide_confirm')}
      doneText={t('now_hidden')}
      form={form}
      operation="hideProfile"
      payload={({ reason }) => ({ user_id, is_hidden: true, reason })}
      onClose={onClose}
    >
      <p>{t('hide_text')}</p>
      <ReasonField control={form.control} />
    </EditDialog>
  );
}
