import { type Static, Type } from 'typebox';
import { LanguageName, Nothing, Nullable } from '../entities/base.ts';
import { loginSource, TypedCode, TypedPassword } from '../entities/sign-in.ts';
import { LoginMethod } from '../entities/user.ts';
import { route } from '../route.ts';
import { MailToken } from './account.ts';
import { RecoveryCodes, SetUp } from './second-factor.ts';

/** SHA-256 of a verifier, in base64url (RFC 7636 section 4.2). */
const CodeChallenge = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' });

/** Query parameters of the login page (R 2.18). */
const loginParameters = {
  response_type: Type.Optional(Type.Union([Type.Literal('code'), Type.Literal('none')])),
  /** Without it: 'redirect_url is empty' (R 8.11). */
  redirect_uri: Type.Optional(Type.String({ maxLength: 2048 })),
  from: Type.Optional(Type.String({ maxLength: 64 })),
  channel: Type.Optional(Type.String({ maxLength: 64 })),
  product: Type.Optional(Type.String({ maxLength: 64 })),
  ux_mode: Type.Optional(Type.Union([Type.Literal('redirect'), Type.Literal('popup'), Type.Literal('auth')])),
  /** Binds the code to the client that started the sign-in (RFC 7636); required for the gateway's callback. */
  code_challenge: Type.Optional(CodeChallenge),
  code_challenge_method: Type.Optional(Type.Literal('S256')),
  ...loginSource,
};

/** Id of a configured sign-in method in addresses. */
const SourceName = Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' });

/** A sign-in method on the page. */
export const SignInOffer = Type.Object({
  source: SourceName,
  method: LoginMethod,
  /** `password`: a form on our own page; `redirect`: another page. */
  kind: Type.Union([Type.Literal('password'), Type.Literal('redirect')]),
  /** Configured name; null for the name of its method. */
  label: Nullable(Type.String()),
});
export type SignInOffer = Static<typeof SignInOffer>;

const Continue = Type.Object({
  /** Next address for the browser: the redirect_uri with its one-time code. */
  continue_to: Type.String(),
});

/** The next step of a sign-in after the password. */
export const Challenge = Type.Object({
  /** Identifies this sign-in; valid once, for ten minutes. */
  token: Type.String(),
  /** `code`: a code of the second factor is required; `enrol`: a second factor must be set up first. */
  kind: Type.Union([Type.Literal('code'), Type.Literal('enrol')]),
  /** Secret for the authenticator app. */
  set_up: Nullable(SetUp),
});
export type Challenge = Static<typeof Challenge>;

/** A pending sign-in and its target. */
const waiting = {
  challenge: Type.String({ minLength: 1, maxLength: 64 }),
  redirect_uri: Type.String({ minLength: 1, maxLength: 2048 }),
};

const NickName = Type.String({ minLength: 1, maxLength: 40 });

/** Calls of the sign-in page of our own identity service. */
export const signInRoutes = {
  readSignInOptions: route({
    service: 'identity',
    method: 'GET',
    path: '/user/page/options',
    access: 'all',
    summary: 'Sign-in methods on offer and password rules',
    data: Type.Object({
      methods: Type.Array(SignInOffer),
      /** Configured document services, by the origin in their links. */
      document_services: Type.Array(
        Type.Object({
          source: SourceName,
          ux_from: Type.String(),
          login_source_id: Type.String(),
          app_name: Type.String(),
        }),
      ),
      sign_up: Type.Boolean(),
      /** Sign-ups are completed by a mailed link, where name and password are chosen. */
      sign_up_by_mail: Type.Boolean(),
      password_min: Type.Integer(),
      /** How a forgotten password is reset; null without passwords. */
      reset: Nullable(Type.Union([Type.Literal('mail'), Type.Literal('administrator')])),
    }),
  }),
  beginSso: route({
    service: 'identity',
    method: 'POST',
    path: '/user/page/sso',
    access: 'all',
    rateLimit: 'sign-in',
    summary: 'Start a sign-in on another page and return its address',
    body: Type.Object({ source: SourceName, ...loginParameters }),
    data: Type.Object({
      /** Next address for the browser. */
      go_to: Type.String(),
    }),
  }),
  beginHandOver: route({
    service: 'identity',
    method: 'POST',
    path: '/user/page/third_party',
    access: 'all',
    rateLimit: 'sign-in',
    summary: 'Start a sign-in whose code the client sends itself, and return its address',
    body: Type.Object({
      source: SourceName,
      /** Page of this site that the provider redirects to, without a query. */
      redirect_uri: loginParameters.redirect_uri,
      channel: loginParameters.channel,
      ...loginSource,
      /** Challenge of a verifier that the client sends with the code. */
      challenge: CodeChallenge,
    }),
    data: Type.Object({
      /** Next address for the browser. */
      go_to: Type.String(),
    }),
  }),
  finishSso: route({
    service: 'identity',
    method: 'GET',
    path: '/user/sso/{source}/callback',
    access: 'all',
    file: true,
    rateLimit: 'code-exchange',
    summary: 'Callback of another sign-in page',
    params: Type.Object({ source: SourceName }),
  }),
  finishSsoByForm: route({
    service: 'identity',
    method: 'POST',
    path: '/user/sso/{source}/callback',
    access: 'all',
    file: true,
    rateLimit: 'code-exchange',
    summary: 'Form callback of another sign-in page (SAML 2.0 bindings section 3.5)',
    params: Type.Object({ source: SourceName }),
  }),
  readSsoMetadata: route({
    service: 'identity',
    method: 'GET',
    path: '/user/sso/{source}/metadata',
    access: 'all',
    file: true,
    summary: 'Metadata of this site for another sign-in service',
    params: Type.Object({ source: SourceName }),
  }),
  signIn: route({
    service: 'identity',
    method: 'POST',
    path: '/user/page/sign_in',
    access: 'all',
    rateLimit: 'sign-in',
    summary: 'Sign in with an account and a password',
    body: Type.Object({
      account: Type.String({ minLength: 1, maxLength: 254 }),
      password: TypedPassword,
      ...loginParameters,
    }),
    /** Next address for the browser, or the next step. */
    data: Type.Object({ continue_to: Nullable(Type.String()), challenge: Nullable(Challenge) }),
  }),
  passSecondFactor: route({
    service: 'identity',
    method: 'POST',
    path: '/user/page/second_factor',
    access: 'all',
    rateLimit: 'sign-in',
    summary: 'Continue a sign-in with a code of the second factor, or set one up with it',
    body: Type.Object({ ...waiting, code: TypedCode }),
    /** Recovery codes after setting up; the redirect follows when the user has stored them. */
    data: Type.Object({ continue_to: Nullable(Type.String()), recovery_codes: RecoveryCodes }),
  }),
  finishEnrolment: route({
    service: 'identity',
    method: 'POST',
    path: '/user/page/second_factor/finish',
    access: 'all',
    rateLimit: 'sign-in',
    summary: 'Complete a sign-in after setting up the second factor',
    body: Type.Object(waiting),
    data: Continue,
  }),
  signUp: route({
    service: 'identity',
    method: 'POST',
    path: '/user/page/sign_up',
    access: 'all',
    rateLimit: 'sign-in',
    summary:
      'Create an account and sign in with it. With a mail server, a link is mailed first, and the response does not reveal whether the account exists',
    body: Type.Object({
      email: Type.String({ minLength: 3, maxLength: 254 }),
      /** Absent if they are chosen at a mailed link. */
      nick_name: Type.Optional(NickName),
      password: Type.Optional(TypedPassword),
      /** Language of the mail. */
      language: Type.Optional(LanguageName),
      ...loginParameters,
    }),
    /** Null if a mail was sent. */
    data: Type.Object({ continue_to: Nullable(Type.String()) }),
  }),
  finishSignUp: route({
    service: 'identity',
    method: 'POST',
    path: '/user/page/sign_up/finish',
    access: 'all',
    rateLimit: 'sign-in',
    summary: 'Create an account by a mailed link, which verifies its e-mail address',
    body: Type.Object({ token: MailToken, nick_name: NickName, password: TypedPassword }),
    data: Nothing,
  }),
};
