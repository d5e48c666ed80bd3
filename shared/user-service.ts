import { type Static, type TSchema, Type } from 'typebox';
import { LanguageName, Nullable } from './entities/base.ts';
import { NoticeData } from './entities/notice.ts';
import { typedProof } from './entities/proof.ts';
import { LoginMethod, Role, UserInfo } from './entities/user.ts';
import { accountRoutes, PluginsAfter } from './routes/account.ts';
import { ownBindRoutes } from './routes/own-bind.ts';

/** The user service's calls below IDENTITY_URL (specification section 7) and the bearer each one wants. */
export type UserServiceCall = {
  method: 'GET' | 'POST';
  /** Relative to the user service's base, so without a leading slash. */
  path: string;
  bearer: 'none' | 'access' | 'refresh';
  query?: TSchema;
  body?: TSchema;
  /**
   * A field of the payload: services put it into the body, its `data`, or the `data` of that, and the specification names
   * each of these places for one call or another.
   */
  reads?: string;
};

function call<const C extends UserServiceCall>(definition: C): C {
  return definition;
}

/** A code verifier (RFC 7636 section 4.1). */
const Verifier = Type.String({ pattern: '^[A-Za-z0-9._~-]{43,128}$' });

/**
 * A one-time code and, from who has begun its sign-in, what shows that it is of that one (RFC 6749 section 4.1.3,
 * RFC 7636 section 4.5). A foreign service reads the code alone, or what it knows to check.
 */
const codeOfSignIn = {
  code: Type.String({ minLength: 1, maxLength: 2048 }),
  code_verifier: Type.Optional(Verifier),
  redirect_uri: Type.Optional(Type.String({ maxLength: 2048 })),
};

/** A bind that waits, as the gateway hands it on. */
const pendingBind = {
  id: Type.String({ minLength: 1, maxLength: 200 }),
  /** The callback that the id has come to; without it where it was handed over. */
  redirect_uri: Type.Optional(Type.String({ maxLength: 2048 })),
};

export const userServiceCalls = {
  validate: call({ method: 'GET', path: 'user/valid', bearer: 'refresh', reads: 'info' }),
  bind: call({
    method: 'POST',
    path: '3rd-party/bind',
    bearer: 'access',
    /** What the bind page was opened with (specification section 2); our own service wants a proof as well. */
    body: Type.Object({
      ...pendingBind,
      ...typedProof,
      /** Language of the mail to the owner. */
      language: Type.Optional(LanguageName),
    }),
  }),
  /** These three are our own identity service's alone. */
  readBind: call({
    method: 'POST',
    path: '3rd-party/bind/read',
    bearer: 'access',
    body: Type.Object(pendingBind),
    reads: 'proof',
  }),
  beginBind: call({
    method: 'POST',
    path: '3rd-party/bind/begin',
    bearer: 'access',
    body: Type.Object({
      ...ownBindRoutes.beginBind.body.properties,
      /** The gateway's callback, with the nonce of the browser that begins. */
      redirect_uri: Type.String({ minLength: 1, maxLength: 2048 }),
    }),
    reads: 'go_to',
  }),
  /** Answers new tokens, which say the new name and picture. */
  changeProfile: call({
    method: 'POST',
    path: 'user/profile',
    bearer: 'access',
    body: accountRoutes.changeProfile.body,
    reads: 'access_token',
  }),
  thirdPartyAuth: call({
    method: 'POST',
    path: '3rd-party/oauth2/{source}/auth',
    bearer: 'none',
    /** What the provider has sent the client back with, and the verifier of the challenge that it began with. */
    body: Type.Object({
      code: Type.String({ minLength: 1, maxLength: 2048 }),
      state: Type.String({ minLength: 1, maxLength: 200 }),
      verifier: Verifier,
      /** Where the provider names itself (RFC 9207). */
      iss: Type.Optional(Type.String({ maxLength: 2048 })),
    }),
    reads: 'access_token',
  }),
  loginCode: call({ method: 'GET', path: 'user/login/code', bearer: 'access', reads: 'code' }),
  exchangeCode: call({
    method: 'GET',
    path: 'user/login/code/user',
    bearer: 'none',
    query: Type.Object(codeOfSignIn),
    reads: 'access_token',
  }),
  exchangeOauth2Code: call({
    method: 'POST',
    path: 'user/oauth2/login',
    bearer: 'none',
    body: Type.Object({ app: Type.String({ maxLength: 200 }), ...codeOfSignIn }),
    reads: 'access_token',
  }),
  logout: call({ method: 'POST', path: 'user/logout', bearer: 'refresh' }),
  userInfo: call({ method: 'GET', path: 'user/userinfo', bearer: 'access', reads: 'user_id' }),
  refreshToken: call({
    method: 'POST',
    path: 'user/refresh_token',
    bearer: 'refresh',
    reads: 'access_token',
  }),
  resetToken: call({
    method: 'POST',
    path: 'user/reset_token',
    bearer: 'access',
    body: Type.Object({ e_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
    reads: 'access_token',
  }),
  privateConfig: call({ method: 'GET', path: 'config/private/standard/{product}', bearer: 'access' }),
};

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

/** The sign-in answer: user info with both tokens among its fields. Never leaves the gateway in this form. */
export const SignedInUser = Type.Object({
  ...UserInfo.properties,
  access_token: Type.String(),
  refresh_token: Type.String(),
  /** Seconds for which the refresh token is good; our own service tells, a foreign one need not. */
  refresh_expires_in: Type.Optional(Type.Integer()),
  login_method: Type.Optional(LoginMethod),
  /** By this the device that signed in is known, and not delayed when others guess; our own service tells. */
  device_token: Type.Optional(Type.String()),
});
export type SignedInUser = Static<typeof SignedInUser>;

/**
 * Where the gateway tells our identity service which device tokens a browser has, comma-separated; one browser may be
 * that of several accounts.
 */
export const KNOWN_DEVICES_HEADER = 'x-known-devices';
export const KNOWN_DEVICES_MAX = 5;

/** Claims of the access token our identity service signs and our community service checks (RFC 9068). */
export const ACCESS_TOKEN_AUDIENCE = 'plugin-square';
export const ACCESS_TOKEN_ISSUER = 'plugin-square-identity';
/** Where a gateway is told of sessions that have ended, and by which event (OpenID Connect Back-Channel Logout 1.0). */
export const BACKCHANNEL_LOGOUT_PATH = '/api/auth/backchannel-logout';
export const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

export const JWKS_PATH = '/.well-known/jwks.json';
