import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { useFormatter, useTranslations } from 'use-intl';
import { ROLE_ADMIN, ROLE_SUPER_ADMIN, ROLE_USER } from '../../../../shared/constants.ts';
import type { Proof, TypedProof } from '../../../../shared/entities/sign-in.ts';
import type { Role } from '../../../../shared/entities/user.ts';
import type { Member } from '../../../../shared/routes/member.ts';
import { call } from '../../../api/client.ts';
import { errorText } from '../../../api/error-text.ts';
import { ProofField, useProof } from '../../../features/second-factor/code-field.tsx';
import { signInUrl } from '../../../features/session/sign-in-url.ts';
import { Button } from '../../../ui/button/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import styles from './members-screen.module.css';

/** A member and their new role. */
export type RoleChange = { member: Member; role: Role };

type Props = RoleChange & {
  /** The viewer's reauthentication, required for changes of super administrators. */
  proof: Proof;
  onClose: () => void;
};

/** Confirms a role change, with the member, the current role and the new one. */
export function RoleDialog({ member, role, proof, onClose }: Props) {
  const t = useTranslations();
  const toast = useToast();
  const queryClient = useQueryClient();
  const { pathname, search } = useLocation();
  const { user_id, nick_name, email } = member;
  const isProved = role === ROLE_SUPER_ADMIN || member.role === ROLE_SUPER_ADMIN;
  const attempt = useMutation({
    mutationFn: (typed: TypedProof) => call('changeMemberRole', { user_id, role, ...typed }),
    onSuccess: () => {
      toast({ kind: 'success', text: t('members.changed') });
      onClose();
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['listMembers'] }),
        queryClient.invalidateQueries({ queryKey: ['listMemberChanges'] }),
      ]),
  });
  const requiredProof = isProved ? proof : 'none';
  const typed = useProof(requiredProof, attempt);
  const mustSignIn = requiredProof === 'sign_in';
  const confirm = (): void => {
    if (mustSignIn) location.assign(signInUrl(pathname + search));
    else if (!attempt.isPending && typed.check()) attempt.mutate(typed.typed());
  };
  const failure = (): string | undefined => {
    const { error } = attempt;
    if (!error || typed.wrong !== undefined) return undefined;
    if (error.reason === 'LAST_SUPER_ADMIN') return t('members.last_super');
    return t(`error.${errorText(error)}`);
  };
  return (
    <ConfirmDialog
      open
      title={t('members.role_title', { name: nick_name || email })}
      confirmLabel={t(mustSignIn ? 'proof.sign_in' : 'members.role_change')}
      cancelLabel={t('members.cancel')}
      tone={isProved && !mustSignIn ? 'danger' : 'normal'}
      busy={attempt.isPending}
      error={failure()}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        {t('members.role_text', {
          email,
          before: t(`members.${roleText(member.role)}`),
          after: t(`members.${roleText(role)}`),
        })}
      </p>
      {role === ROLE_SUPER_ADMIN && <p>{t('members.role_super_text')}</p>}
      {role === ROLE_USER && <p>{t('members.role_user_text')}</p>}
      {mustSignIn && <p>{t('proof.sign_in_text')}</p>}
      <ProofField
        proof={requiredProof}
        value={typed.value}
        onValueChange={typed.change}
        error={typed.wrong}
        onEnter={confirm}
      />
    </ConfirmDialog>
  );
}

/** Roles by rank, highest last: their numbers aren't in order (R 1.2). */
export const ROLES = [
  { value: '0', role: ROLE_USER, text: 'role_user' },
  { value: '2', role: ROLE_ADMIN, text: 'role_admin' },
  { value: '1', role: ROLE_SUPER_ADMIN, text: 'role_super' },
] as const;

/** A role as an option of a select. */
export type RoleValue = (typeof ROLES)[number]['value'];

export function roleOf(value: RoleValue): Role {
  return ROLES.find((one) => one.value === value)?.role ?? ROLE_USER;
}

/** The text of the namespace `members` for a role. */
function roleText(role: Role) {
  return ROLES.find((one) => one.role === role)?.text ?? 'role_user';
}

type LinkProps = { member: Member; onClose: () => void };

/** Creates a link for a member to set a new password, and shows it once. */
export function PasswordLink({ member: { user_id, nick_name, email }, onClose }: LinkProps) {
  const t = useTranslations('members');
  const format = useFormatter();
  const queryClient = useQueryClient();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => call('makePasswordLink', { user_id }),
    // The link isn't cached after the dialog has closed.
    gcTime: 0,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['listMemberChanges'] }),
  });
  const name = nick_name || email;
  const problem = error && t(error.reason === 'PASSWORD_ELSEWHERE' ? 'password_elsewhere' : 'change_failed');
  return (
    <>
      <ConfirmDialog
        open={!data}
        title={t('password_link_title', { name })}
        confirmLabel={t('password_link_make')}
        cancelLabel={t('cancel')}
        busy={isPending}
        error={problem ?? undefined}
        onConfirm={() => mutate()}
        onClose={onClose}
      >
        {t('password_link_text')}
      </ConfirmDialog>
      <Dialog
        open={data !== undefined}
        onClose={onClose}
        title={t('password_link')}
        closeLabel={t('password_link_close')}
        foot={
          data && (
            <>
              <CopyButton
                text={() => data.link}
                size="m"
                labels={{
                  idle: t('password_link_copy'),
                  copied: t('password_link_copied'),
                  failed: t('password_link_copy_failed'),
                }}
              />
              <Button variant="primary" onClick={onClose}>
                {t('password_link_close')}
              </Button>
            </>
          )
        }
      >
        {data && (
          <div className={styles.linkMade}>
            <p>{t('password_link_made', { name })}</p>
            <code className={styles.link}>{data.link}</code>
            <p className={styles.linkUntil}>
              {t('password_link_until', {
                time: format.dateTime(new Date(data.expires_at), { dateStyle: 'medium', timeStyle: 'short' }),
              })}
            </p>
          </div>
        )}
      </Dialog>
    </>
  );
}
