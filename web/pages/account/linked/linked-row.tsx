import { useFormatter, useTranslations } from 'use-intl';
import type { LinkedSignIn } from '../../../../shared/routes/linked-sign-in.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { FactRow } from '../../../ui/fact-row/fact-row.tsx';
import { LinkIcon } from '../../../ui/icon/fact-icons.tsx';
import { ShortText } from '../../../ui/visually-hidden/short-text.tsx';

type LinkedRowProps = { linked: LinkedSignIn; onUnlink: () => void };

/** An account elsewhere: whose it is, at which service, and since when it is linked. */
export function LinkedRow({ linked, onUnlink }: LinkedRowProps) {
  const t = useTranslations('account');
  const format = useFormatter();
  const service = useServiceName();
  const { email, linked_at, is_removable } = linked;
  const name = nameOf(linked);
  const since = format.dateTime(new Date(linked_at), { dateStyle: 'medium' });
  return (
    <FactRow
      icon={<LinkIcon size={18} />}
      name={name ?? service(linked)}
      beside={!is_removable && <Badge>{t('linked_only')}</Badge>}
      facts={[
        ...(name === undefined ? [] : [service(linked)]),
        ...(email !== '' && email !== name ? [email] : []),
        t('linked_since', { when: since }),
      ]}
      action={
        is_removable && (
          <Button variant="outline" size="s" onClick={onUnlink}>
            <ShortText full={t('linked_remove_named', { name: name ?? service(linked) })}>
              {t('linked_remove')}
            </ShortText>
          </Button>
        )
      }
    />
  );
}

/** Whose account it is, as its service says; undefined where that is not known. */
export function nameOf({ name, email }: LinkedSignIn): string | undefined {
  return name || email || undefined;
}

/** What the service of an account is called. */
export function useServiceName(): (linked: LinkedSignIn) => string {
  const t = useTranslations('account');
  return ({ label, method }) => {
    if (method === null) return t('linked_gone');
    if (label !== null) return t('session_by', { name: label });
    return t(method === 'ldap' ? 'session_by_password' : 'session_by_sso');
  };
}
