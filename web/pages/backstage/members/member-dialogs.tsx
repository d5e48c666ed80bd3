import { useTranslations } from 'use-intl';
import { ROLE_ADMIN, ROLE_SUPER_ADMIN, ROLE_USER } from '../../../../shared/constants.ts';
import type { Operation } from '../../../../shared/contract.ts';
import type { Proof, TypedProof } from '../../../../shared/entities/sign-in.ts';
import type { Role } from '../../../../shared/entities/user.ts';
import type { Member } from '../../../../shared/routes/member.ts';
import { type PayloadOf, useOperation } from '../../../api/use-operation.ts';
import { ProofDialog } from '../../../features/second-factor/proof-dialog.tsx';
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
  operation: O,
  payloadOf: (typed: TypedProof) => PayloadOf<O>,
  onDone?: () => void,
) {
  const t = useTranslations('members');
  return useOperation(operation, payloadOf, {
    done: onDone && t('changed'),
    failed: t('change_failed'),
    errorMessages: { LAST_SUPER_ADMIN: t('last_super'), PASSWORD_ELSEWHERE: t('password_elsewhere') },
    // A link isn't cached after the dialog has closed.
    gcTime: 0,
    onSuccess: () => onDone?.(),
  });
}

/** Texts and calls of the changes without data of their own. */
const STATES = {
  disable: {
    title: 'disable_title',
    text: 'disable_text',
    confirm: 'disable',
    operation: 'disableMember',
    sent: { is_disabled: true },
  },
  enable: {
    title: 'enable_title',
    text: 'enable_text',
    confirm: 'enable',
    operation: 'disableMember',
    sent: { is_disabled: false },
  },
  sign_out: {
    title: 'sign_out_title',
    text: 'sign_out_text',
    confirm: 'sign_out',
    operation: 'signOutMember',
    sent: {},
  },
  second_factor: {
    title: 'second_factor_title',
    text: 'second_factor_text',
    confirm: 'second_factor_remove',
    operation: 'removeMemberSecondFactor',
    sent: {},
  },
} as const;

type StateProps = { what: keyof typeof STATES; member: Member; proof: Proof; onClose: () => void };

function StateDialog({ what, member: { user_id, nick_name, email }, proof, onClose }: StateProps) {
  const t = useTranslations('members');
  const { title, text, confirm, operation, sent } = STATES[what];
  const attempt = useMemberChange(operation, (typed) => ({ user_id, ...sent, ...typed }), onClose);
  return (
    <ProofDialog
      proof={proof}
      attempt={attempt}
      title={t(title, { name: nick_name || email })}
      confirmLabel={t(confirm)}
      tone={what === 'enable' ? 'normal' : 'danger'}
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
  const attempt = useMemberChange('changeMemberRole', (typed) => ({ user_id, role, ...typed }), onClose);
  const isSuper = role === ROLE_SUPER_ADMIN || member.role === ROLE_SUPER_ADMIN;
  return (
    <ProofDialog
      proof={proof}
      attempt={attempt}
      title={t('role_title', { name: nick_name || email })}
      confirmLabel={t('role_change')}
      tone={isSuper ? 'danger' : 'normal'}
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
  const attempt = useMemberChange('makePasswordLink', (typed) => ({ user_id, ...typed }));
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
