import { useFormatter, useTranslations } from 'use-intl';
import { Button } from '../../../ui/button/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import styles from './members-screen.module.css';

type Props = {
  title: string;
  text: string;
  /** Undefined until it is created. */
  handed: { link: string; expires_at: string } | undefined;
  onClose: () => void;
};

/** A link that a super administrator hands to a member, shown once. */
export function HandedLink({ title, text, handed, onClose }: Props) {
  const t = useTranslations('members');
  const common = useTranslations('common');
  const format = useFormatter();
  return (
    <Dialog
      open={handed !== undefined}
      onClose={onClose}
      title={title}
      closeLabel={t('password_link_close')}
      foot={
        handed && (
          <>
            <CopyButton
              text={() => handed.link}
              size="m"
              labels={{
                idle: t('password_link_copy'),
                copied: common('copied'),
                failed: common('copy_failed'),
              }}
            />
            <Button variant="primary" onClick={onClose}>
              {t('password_link_close')}
            </Button>
          </>
        )
      }
    >
      {handed && (
        <div className={styles.linkMade}>
          <p>{text}</p>
          <code className={styles.link}>{handed.link}</code>
          <p className={styles.linkUntil}>
            {t('password_link_until', {
              time: format.dateTime(new Date(handed.expires_at), { dateStyle: 'medium', timeStyle: 'short' }),
            })}
          </p>
        </div>
      )}
    </Dialog>
  );
}
