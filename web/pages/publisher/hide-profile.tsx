import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../shared/constants.ts';
import type { Publisher } from '../../../shared/entities/publisher.ts';
import { isVisible } from '../../../shared/visible-text.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Button } from '../../ui/button/button.tsx';
import { FormTextArea } from '../../ui/form-fields.tsx';
import { EditDialog } from '../backstage/frame/edit-dialogs.tsx';

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
  const common = useTranslations('common');
  const form = useForm({ defaultValues: { reason: '' } });
  const check = (reason: string): string | undefined => {
    if (!isVisible(reason)) return t('hide_reason_missing');
    return [...reason].length > TEXT_LIMITS.reason
      ? common('too_long', { limit: TEXT_LIMITS.reason })
      : undefined;
  };
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
      <FormTextArea
        control={form.control}
        name="reason"
        check={check}
        label={t('hide_reason')}
        hint={t('hide_reason_hint')}
        maxLength={TEXT_LIMITS.reason}
        required
      />
    </EditDialog>
  );
}
