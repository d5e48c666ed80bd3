import { useTranslations } from 'use-intl';
import { ROLE_ADMIN, ROLE_SUPER_ADMIN, ROLE_USER } from '../../../../shared/constants.ts';
import type { Operation } from '../../../../shared/contract.ts';
import type { Proof, TypedProof } from '../../../../shared/entities/sign-in.ts';
import type { Role } from '../../../../shared/entities/user.ts';
import type { Member } from '../../../../shared/routes/member.ts';
import type { ApiError } from '../../../api/api-error.ts';
import { type Request, useOperation } from '../../../api/use-operation.ts';
import { ProofDialog } from '../../../features/second-factor/proof-dialog.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { HandedLink } from './handed-link.tsx';

/** A change of a member that needs a confirmation. */
export type MemberChange =
  | { what: 'disable' | 'enable' | 'sign_out' | 'second_factor' | 'password_link'; member: Member }
  | { what: 'role'; member: Member; role: Role };

type Props<What extends MemberChange['what']> = {
  change: Extract<MemberChange, { what: What }>;
  /** The viewer's reauthentication. */
  proof: Proof;
  onClose: () => void;
};

/** Confirms a change with the viewer's reauthentication. */
export function MemberDialog({ change, ...rest }: Props<MemberChange['what']>) {
  if (change.what === 'role') return <RoleDialog change={change} {...rest} />;
  if (change.what === 'password_link') return <PasswordLink member={change.member} {...rest} />;
  return <StateDialog member={change.member} what={change.what} {...rest} />;
}

/** Sends a change of a member, and refetches what it affects. */
export function useMemberChange<O extends Operation>(
  requestOf: (typed: TypedProof) => Request<O>,
  onDone?: () => void,
) {
  const t = useTranslations('members');
  const toast = useToast();
  return useOperation(requestOf, {
    // A link isn't cached after the dialog has closed.
    gcTime: 0,
    onSuccess: () => {
      if (!onDone) return;
      toast({ kind: 'success', text: t('changed') });
      onDone();
    },
  });
}

/** Texts of a refusal that members have their own for. */
function useMemberFailure() {
  const t = useTranslations('members');
  return ({ reason }: ApiError): string => {
    if (reason === 'LAST_SUPER_ADMIN') return t('last_super');
    return t(reason === 'PASSWORD_ELSEWHERE' ? 'password_elsewhere' : 'change_failed');
  };
}

/** Texts and calls of the changes without data of their own. */
const STATES = {
  disable: {
    title: 'disable_title',
    text: 'disable_text',
    confirm: 'disable',
    requestOf: (user_id: number, typed: TypedProof) =>
      ['disableMember', { user_id, is_disabled: true, ...typed }] as const,
  },
  enable: {
    title: 'enable_title',
    text: 'enable_text',
    confirm: 'enable',
    requestOf: (user_id: number, typed: TypedProof) =>
      ['disableMember', { user_id, is_disabled: false, ...typed }] as const,
  },
  sign_out: {
    title: 'sign_out_title',
    text: 'sign_out_text',
    confirm: 'sign_out',
    requestOf: (user_id: number, typed: TypedProof) => ['signOutMember', { user_id, ...typed }] as const,
  },
  second_factor: {
    title: 'second_factor_title',
    text: 'second_factor_text',
    confirm: 'second_factor_remove',
    requestOf: (user_id: number, typed: TypedProof) =>
      ['removeMemberSecondFactor', { user_id, ...typed }] as const,
  },
} as const;

type StateProps = { what: keyof typeof STATES; member: Member; proof: Proof; onClose: () => void };

function StateDialog({ what, member: { user_id, nick_name, email }, proof, onClose }: StateProps) {
  const t = useTranslations('members');
  const { title, text, confirm, requestOf } = STATES[what];
  const attempt = useMemberChange((typed) => requestOf(user_id, typed), onClose);
  return (
    <ProofDialog
      proof={proof}
      attempt={attempt}
      title={t(title, { name: nick_name || email })}
      confirmLabel={t(confirm)}
      cancelLabel={t('cancel')}
      tone={what === 'enable' ? 'normal' : 'danger'}
      failure={useMemberFailure()}
      onClose={onClose}
    >
      <p>{t(text)}</p>
    </ProofDialog>
  );
}

/** Confirms a role change, with the member, the current role and the new one. */
function RoleDialog({ change: { member, role }, proof, onClose }: Props<'role'>) {
  const t = useTranslations('members');
  const { user_id, nick_name, email } = member;
  const attempt = useMemberChange((typed) => ['changeMemberRole', { user_id, role, ...typed }], onClose);
  const isSuper = role === ROLE_SUPER_ADMIN || member.role === ROLE_SUPER_ADMIN;
  return (
    <ProofDialog
      proof={proof}
      attempt={attempt}
      title={t('role_title', { name: nick_name || email })}
      confirmLabel={t('role_change')}
      cancelLabel={t('cancel')}
      tone={isSuper ? 'danger' : 'normal'}
      failure={useMemberFailure()}
      onClose={onClose}
    >
      <p>{t('role_text', { email, before: t(roleText(member.role)), after: t(roleText(role)) })}</p>
      {role === ROLE_SUPER_ADMIN && <p>{t('role_super_text')}</p>}
      {role === ROLE_USER && <p>{t('role_user_text')}</p>}
    </ProofDialog>
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
export function roleText(role: Role) {
  return ROLES.find((one) => one.role === role)?.text ?? 'role_user';
}

type LinkProps = { member: Member; proof: Proof; onClose: () => void };

/** Creates a link for a member to set a new password, and shows it once. */
function PasswordLink({ member: { user_id, nick_name, email }, proof, onClose }: LinkProps) {
  const t = useTranslations('members');
  const attempt = useMemberChange((typed) => ['makePasswordLink', { user_id, ...typed }]);
  const failure = useMemberFailure();
  const { data } = attempt;
  const name = nick_name || email;
  return (
    <>
      {!data && (
        <ProofDialog
          proof={proof}
          attempt={attempt}
          title={t('password_link_title', { name })}
          confirmLabel={t('password_link_make')}
          cancelLabel={t('cancel')}
          failure={failure}
          onClose={onClose}
        >
          <p>{t('password_link_text')}</p>
        </ProofDialog>
      )}
      <HandedLink
        title={t('password_link')}
        text={t('password_link_made', { name })}
        handed={data}
        onClose={onClose}
      />
    </>
  );
}
