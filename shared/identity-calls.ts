import { type Static, Type } from 'typebox';
import { Nullable } from './entities/base.ts';
import { TypedProof } from './entities/sign-in.ts';
import { Role } from './entities/user.ts';
import { PluginsAfter } from './routes/account.ts';
import { NoticeData } from './routes/notice.ts';
import { call } from './user-service.ts';

/** Limit to the number of grants per call. */
export const GRANTS_AT_ONCE = 100;

/**
 * Calls of our community service to our own user service which other user services do not have. A publish grant is an encrypted
 * statement about an account at the time of issue; its holder may query the current rights of the account.
 */
export const publishGrantCalls = {
  issue: call({ method: 'POST', path: 'user/publish-grant', bearer: 'access' }),
  check: call({
    method: 'POST',
    path: 'user/publish-grant/check',
    bearer: 'none',
    body: Type.Object({
      grant_list: Type.Array(Type.String({ minLength: 1, maxLength: 400 }), {
        minItems: 1,
        maxItems: GRANTS_AT_ONCE,
      }),
    }),
  }),
};

/** Limit to the number of account changes per call. */
export const ACCOUNT_CHANGES_AT_ONCE = 100;

/**
 * Calls of our community service to our own user service about accounts: which ones have changed their name, picture or role,
 * or were deleted, since the last known change; and, with the user's access token, their reauthentication and the export of an
 * account, which requires it.
 */
export const accountCalls = {
  changes: call({
    method: 'POST',
    path: 'user/account-changes',
    bearer: 'none',
    body: Type.Object({
      after: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      roles_after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    }),
  }),
  reauthenticate: call({ method: 'POST', path: 'user/reauthenticate', bearer: 'access', body: TypedProof }),
  export: call({ method: 'POST', path: 'user/account-export', bearer: 'access', body: TypedProof }),
};

/**
 * Call of our community service to our own user service: which tools have lost their access since a time, by the clock of the
 * user service. Their access tokens are signed, and valid for up to 15 minutes.
 */
export const toolCalls = {
  ended: call({
    method: 'POST',
    path: 'user/tool-ended',
    bearer: 'none',
    body: Type.Object({
      /** Milliseconds since 1970; 0 for all whose tokens may still be valid. */
      since: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    }),
  }),
};
/** Limit to the number of sessions per call. */
export const ENDED_AT_ONCE = 10_000;

/** Sessions that have ended, and tools that were removed with all of theirs; `next`: for the next call, or at once with `has_more`. */
export const EndedTools = Type.Object({
  sid_list: Type.Array(Type.String()),
  client_list: Type.Array(Type.Object({ client_id: Type.String(), removed_at: Type.Integer() })),
  next: Type.Integer(),
  has_more: Type.Boolean(),
});

/** Limit to the number of mails per call. */
export const NOTICE_MAILS_AT_ONCE = 50;

/**
 * Call of our community service to our own user service that mails notices. A second call with the same key
 * changes nothing, so that it can be retried.
 */
export const noticeMailCalls = {
  take: call({
    method: 'POST',
    path: 'user/notice-mails',
    bearer: 'none',
    body: Type.Object({
      mail_list: Type.Array(
        Type.Object({
          key: Type.String({ format: 'uuid' }),
          user_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
          kind: Type.String({ maxLength: 40 }),
          data: NoticeData,
          /** Milliseconds since 1970. */
          created_at: Type.Integer({ minimum: 0, maximum: 8.64e15 }),
        }),
        { minItems: 1, maxItems: NOTICE_MAILS_AT_ONCE },
      ),
    }),
  }),
};
export const TakenMails = Type.Object({ taken: Type.Integer() });

const AccountChange = Type.Object({
  id: Type.Integer(),
  user_id: Type.Integer(),
  /** Public data of the account; null after its deletion. */
  shown: Nullable(Type.Object({ nick_name: Type.String(), avatar_url: Type.String() })),
  /** What happens to the plugins of a deleted account. */
  plugins: PluginsAfter,
  /** Milliseconds since 1970. */
  changed_at: Type.Integer(),
});
export type AccountChange = Static<typeof AccountChange>;

const RoleChange = Type.Object({
  id: Type.Integer(),
  user_id: Type.Integer(),
  role: Role,
  /** Milliseconds since 1970. */
  changed_at: Type.Integer(),
});
export type RoleChange = Static<typeof RoleChange>;

/** The latest change of each account with changes after `after`, in chronological order. */
export const AccountChanges = Type.Object({
  change_list: Type.Array(AccountChange),
  /** Number of the latest change; if it is below `after`, this is another database. */
  last: Type.Integer(),
  /** Role changes after `roles_after`, in chronological order; absent if not requested. */
  role_list: Type.Optional(Type.Array(RoleChange)),
  last_role: Type.Optional(Type.Integer()),
});

/** Data of the call `issue`. */
export const IssuedGrant = Type.Object({
  grant: Type.String(),
  role: Role,
  /** Milliseconds since 1970 of the account's last sign-out of all sessions, or null. */
  signed_out_at: Nullable(Type.Integer()),
});
/** Data of the call `check`: the role of each account, in the order of the grants; null for a grant that has ended. */
export const CheckedGrants = Type.Object({ role_list: Type.Array(Nullable(Role)) });
