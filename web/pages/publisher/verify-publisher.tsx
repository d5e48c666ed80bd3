import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { Publisher } from '../../../shared/entities/publisher.ts';
import { Button } from '../../ui/button/button.tsx';
import { EditDialog } from '../backstage/frame/edit-dialogs.tsx';
import { ReasonField } from './reason-field.tsx';

const GIVE = {
  open: 'verify',
  title: 'verify_title',
  text: 'verify_text',
  confirm: 'verify_confirm',
  done: 'now_verified',
} as const;
const TAKE = {
  open: 'unverify',
  title: 'unverify_title',
  text: 'unverify_text',
  confirm: 'unverify_confirm',
  done: 'now_unverified',
} as const;

/** For administrators: verifies a publisher by hand, or takes their mark away. */
export function VerifyPublisher({ publisher }: { publisher: Publisher }) {
  const t = useTranslations('publisher');
  const [isOpen, setIsOpen] = useState(false);
  const texts = publisher.verified === undefined ? GIVE : TAKE;
  return (
    <>
      <Button variant="outline" size="s" onClick={() => setIsOpen(true)}>
        {t(texts.open)}
      </Button>
      {isOpen && <VerifyDialog publisher={publisher} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function VerifyDialog({
  publisher: { user_id, nick_name, verified },
  onClose,
}: {
  publisher: Publisher;
  onClose: () => void;
}) {
  const t = useTranslations('publisher');
  // As it was opened: the mark may change while the dialog closes.
  const [is_verified] = useState(verified === undefined);
  const texts = is_verified ? GIVE : TAKE;
  const form = useForm({ defaultValues: { reason: '' } });
  return (
    <EditDialog
      title={t(texts.title, { publisher: nick_name })}
      confirmLabel={t(texts.confirm)}
      doneText={t(texts.done)}
      form={form}
      operation="decideVerification"
      payload={({ reason }) => ({ user_id, is_verified, reason })}
      onClose={onClose}
    >
      <p>{t(texts.text)}</p>
      <ReasonField control={form.control} />
    </EditDialog>
  );
}
