import { type Static, Type } from 'typebox';
import { Nullable } from './entities/base.ts';
import { Role } from './entities/user.ts';
import { PluginsAfter } from './routes/account.ts';
import { NoticeData } from './routes/notice.ts';
import { call } from './user-service.ts';

/** Grants that one call checks. */
export const GRANTS_AT_ONCE = 100;

/**
 * What our community service asks of our own user service beside the specification's calls. A publish grant is an encrypted
 * text that says of one account, as it was when the grant was issued: whoever shows it may ask what the account may do.
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

/** Changes of accounts that one call answers. */
export const ACCOUNT_CHANGES_AT_ONCE = 100;

/**
 * What our community service asks of our own user service about accounts: which have another name, picture or role, or
 * are gone, since the change it has seen last; and, with the access token of who wants it, what an account's export says.
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
  export: call({ method: 'GET', path: 'user/account-export', bearer: 'access' }),
};

/** Mails that one call asks for. */
export const NOTICE_MAILS_AT_ONCE = 50;

/**
 * By this our community service has our own user service mail what people were told of. Of two calls with the same key
 * the second changes nothing, so that it can be asked again when no answer came.
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

/** The latest change of each account that has one behind `after`, in the order in which they happened. */
export const AccountChanges = Type.Object({
  change_list: Type.Array(
    Type.Object({
      id: Type.Integer(),
      user_id: Type.Integer(),
      /** What others see of it; null once it is gone. */
      shown: Nullable(Type.Object({ nick_name: Type.String(), avatar_url: Type.String() })),
      /** What becomes of the plugins of one that is gone. */
      plugins: PluginsAfter,
      /** Milliseconds since 1970. */
      changed_at: Type.Integer(),
    }),
  ),
  /** The number of the latest change of all; one below `after` means that this is another database. */
  last: Type.Integer(),
  /** Roles that were given behind `roles_after`, in their order; not there where it is not asked for. */
  role_list: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.Integer(),
        user_id: Type.Integer(),
        role: Role,
        /** Milliseconds since 1970. */
        changed_at: Type.Integer(),
      }),
    ),
  ),
  last_role: Type.Optional(Type.Integer()),
});
export type RoleChange = NonNullable<Static<typeof AccountChanges>['role_list']>[number];
export type AccountChange = Static<typeof AccountChanges>['change_list'][number];

/** Data of the call `issue`. */
export const IssuedGrant = Type.Object({
  grant: Type.String(),
  role: Role,
  /** Milliseconds since 1970 when the account was last signed out everywhere, or null. */
  signed_out_at: Nullable(Type.Integer()),
});
/** Data of the call `check`: the role of each account, in the order of the grants; null for a grant that has ended. */
export const CheckedGrants = Type.Object({ role_list: Type.Array(Nullable(Role)) });
