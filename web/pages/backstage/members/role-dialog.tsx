import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { ROLE_ADMIN, ROLE_SUPER_ADMIN, ROLE_USER } from '../../../../shared/constants.ts';
import type { Member } from '../../../../shared/entities/backstage.ts';
import type { Proof, TypedProof } from '../../../../shared/entities/proof.ts';
import type { Role } from '../../../../shared/entities/user.ts';
import { call } from '../../../api/client.ts';
import { errorText } from '../../../api/error-text.ts';
import { ProofField, useProof } from '../../../features/second-factor/proof-field.tsx';
import { signInUrl } from '../../../features/session/sign-in-url.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';

/** Somebody and the role they are to get. */
export type AskedRole = { member: Member; role: Role };

type Props = AskedRole & {
  /** How the viewer proves again who they are; asked where a super administrator comes or goes. */
  proof: Proof;
  onClose: () => void;
};

/** Asks before a role changes, with the person, the role of now and the role to come. */
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
  const wanted = isProved ? proof : 'none';
  const typed = useProof(wanted, attempt);
  const mustSignIn = wanted === 'sign_in';
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
        proof={wanted}
        value={typed.value}
        onValueChange={typed.change}
        error={typed.wrong}
        onEnter={confirm}
      />
    </ConfirmDialog>
  );
}

/** Roles by rank, the widest rights last: their numbers say nothing of it (specification section 4). */
export const ROLES = [
  { value: '0', role: ROLE_USER, text: 'role_user' },
  { value: '2', role: ROLE_ADMIN, text: 'role_admin' },
  { value: '1', role: ROLE_SUPER_ADMIN, text: 'role_super' },
] as const;

/** A role as a list of choices names it. */
export type RoleValue = (typeof ROLES)[number]['value'];

export function roleOf(value: RoleValue): Role {
  return ROLES.find((one) => one.value === value)?.role ?? ROLE_USER;
}

/** Which text of the namespace `members` names a role. */
function roleText(role: Role) {
  return ROLES.find((one) => one.role === role)?.text ?? 'role_user';
}
