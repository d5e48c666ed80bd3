import { type Static, Type } from 'typebox';
import { TEXT_LIMITS } from '../constants.ts';
import { SIGN_UPS } from '../deploy-types.ts';
import { AuditLogEntry } from '../entities/backstage.ts';
import { Cursor, Id, Nullable, Timestamp, Total } from '../entities/base.ts';
import { Proof, typedProof } from '../entities/sign-in.ts';
import { Role } from '../entities/user.ts';
import { paging } from '../paging.ts';
import { route } from '../route.ts';

/** An account, for a super administrator. */
export const Member = Type.Object({
  user_id: Type.Integer(),
  nick_name: Type.String(),
  email: Type.String(),
  role: Role,
  is_disabled: Type.Boolean(),
  has_second_factor: Type.Boolean(),
  session_count: Type.Integer(),
  created_at: Timestamp,
  last_sign_in_at: Nullable(Timestamp),
});
export type Member = Static<typeof Member>;

/** Body of every call that changes an account: whose, and the reauthentication of the caller. */
const memberWrite = { user_id: Id, ...typedProof };
const MemberWrite = Type.Object(memberWrite);

/** A link that a super administrator hands to a member. */
const handedLink = { link: Type.String(), expires_at: Timestamp };

/**
 * Accounts of our own identity service, for a super administrator. Every change requires reauthentication, and is refused for
 * the caller's own account.
 */
export const memberRoutes = {
  listMembers: route({
    service: 'identity',
    method: 'GET',
    path: '/user/member/list',
    access: 'admin',
    superAdmin: true,
    summary: 'Accounts by name or e-mail address',
    query: Type.Object({
      keyword: Type.String({ maxLength: TEXT_LIMITS.keyword, default: '' }),
      role: Type.Optional(Role),
      ...paging,
    }),
    data: Type.Object({
      ...Total,
      next_cursor: Nullable(Cursor),
      /** How the caller reauthenticates before each change. */
      proof: Proof,
      /** Who may create an account; members are invited unless it is closed. */
      sign_up: Type.Enum([...SIGN_UPS]),
      member_list: Type.Array(Member),
    }),
  }),
  listMemberChanges: route({
    service: 'identity',
    method: 'GET',
    path: '/user/member/change/list',
    access: 'admin',
    superAdmin: true,
    summary: 'Changes of accounts with their authors, newest first',
    query: Type.Object(paging),
    data: Type.Object({
      ...Total,
      next_cursor: Nullable(Cursor),
      entry_list: Type.Array(AuditLogEntry),
    }),
  }),
  changeMemberRole: route({
    service: 'identity',
    method: 'PUT',
    path: '/user/member/role',
    access: 'admin',
    superAdmin: true,
    summary: 'Change the role of an account',
    body: Type.Object({ ...memberWrite, role: Role }),
    data: Member,
  }),
  disableMember: route({
    service: 'identity',
    method: 'PUT',
    path: '/user/member/disabled',
    access: 'admin',
    superAdmin: true,
    summary: 'Disable an account, which ends its sessions and publish tokens, or enable it again',
    body: Type.Object({ ...memberWrite, is_disabled: Type.Boolean() }),
    data: Member,
  }),
  signOutMember: route({
    service: 'identity',
    method: 'POST',
    path: '/user/member/sign_out',
    access: 'admin',
    superAdmin: true,
    summary: 'End all sessions and publish tokens of an account',
    body: MemberWrite,
    data: Member,
  }),
  removeMemberSecondFactor: route({
    service: 'identity',
    method: 'POST',
    path: '/user/member/second_factor/remove',
    access: 'admin',
    superAdmin: true,
    summary: 'Remove a lost second factor, which ends all sessions of the account',
    body: MemberWrite,
    data: Member,
  }),
  makePasswordLink: route({
    service: 'identity',
    method: 'POST',
    path: '/user/member/password_link',
    access: 'admin',
    superAdmin: true,
    summary: 'Create a one-time link with which a member sets a new password; it is only returned once',
    body: MemberWrite,
    data: Type.Object(handedLink),
  }),
  inviteMember: route({
    service: 'identity',
    method: 'POST',
    path: '/user/member/invitation',
    access: 'admin',
    superAdmin: true,
    summary:
      'Create an account, and a one-time link with which its user sets the password; it is only returned once',
    body: Type.Object({
      email: Type.String({ minLength: 1, maxLength: 254 }),
      nick_name: Type.String({ minLength: 1, maxLength: 40 }),
      ...typedProof,
    }),
    data: Type.Object({ ...handedLink, member: Member }),
  }),
};
