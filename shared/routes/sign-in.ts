import { type Static, Type } from 'typebox';
import { LanguageName, Nothing, Nullable } from '../entities/base.ts';
import { loginSource, TypedCode, TypedPassword } from '../entities/sign-in.ts';
import { LoginMethod } from '../entities/user.ts';
import { route } from '../route.ts';
import { MailToken } from './account.ts';
import { RecoveryCodes, SetUp } from './second-factor.ts';

/** SHA-256 of a verifier, in base64url (RFC 7636 section 4.2). */
const CodeChallenge = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' });

/** Parameters the login page is opened with (specification section 2). */
const loginParameters = {
  response_type: Type.Optional(Type.Union([Type.Literal('code'), Type.Literal('none')])),
  /** Without it: 'redirect_url is empty' (specification section 5). */
  redirect_uri: Type.Optional(Type.String({ maxLength: 2048 })),
  from: Type.Optional(Type.String({ maxLength: 64 })),
  channel: Type.Optional(Type.String({ maxLength: 64 })),
  product: Type.Optional(Type.String({ maxLength: 64 })),
  ux_mode: Type.Optional(Type.Union([Type.Literal('redirect'), Type.Literal('popup'), Type.Literal('auth')])),
  /** Binds the code to who has begun the sign-in (RFC 7636); the gateway's callback takes no code without. */
  code_challenge: Type.Optional(CodeChallenge),
  code_challenge_method: Type.Optional(Type.Literal('S256')),
  ...loginSource,
};

/** Names a configured sign-in method in addresses. */
const SourceName = Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' });

/** A way to sign in as the page offers it. */
export const SignInOffer = Type.Object({
  source: SourceName,
  method: LoginMethod,
  /** `password`: typed on our own page; `redirect`: on another one. */
  kind: Type.Union([Type.Literal('password'), Type.Literal('redirect')]),
  /** What the deployment calls it; null: by its method. */
  label: Nullable(Type.String()),
});
export type SignInOffer = Static<typeof SignInOffer>;

const Continue = Type.Object({
  /** Where the browser goes next: the redirect_uri with its one-time code. */
  continue_to: Type.String(),
});

/** What a sign-in still waits for after the password. */
export const Challenge = Type.Object({
  /** Names this sign-in once, for ten minutes. */
  token: Type.String(),
  /** `code`: one of the second factor is wanted; `enrol`: a second factor is to be set up first. */
  kind: Type.Union([Type.Literal('code'), Type.Literal('enrol')]),
  /** What an authenticator app needs to set it up. */
  set_up: Nullable(SetUp),
});
export type Challenge = Static<typeof Challenge>;

/** Names a sign-in that waits, and where it must lead. */
const waiting = {
  challenge: Type.String({ minLength: 1, maxLength: 64 }),
  redirect_uri: Type.String({ minLength: 1, maxLength: 2048 }),
};

const NickName = Type.String({ minLength: 1, maxLength: 40 });

/** What the sign-in page of our own identity service calls. */
export const signInRoutes = {
  readSignInOptions: route({
    service: 'identity',
    method: 'GET',
    path: '/user/page/options',
    access: 'all',
    summary: 'Sign-in methods on offer and password rules',
    data: Type.Object({
      methods: Type.Array(SignInOffer),
      /** Document services that the site knows, by what their links say. */
      document_services: Type.Array(
        Type.Object({
          source: SourceName,
          ux_from: Type.String(),
          login_source_id: Type.String(),
          app_name: Type.String(),
        }),
      ),
      sign_up: Type.Boolean(),
      /** A sign-up is ended by a mailed link; name and password are chosen there. */
      sign_up_by_mail: Type.Boolean(),
      password_min: Type.Integer(),
      /** How a forgotten password is reset; null where nobody has one here. */
      reset: Nullable(Type.Union([Type.Literal('mail'), Type.Literal('administrator')])),
    }),
  }),
  beginSso: route({
    service: 'identity',
    method: 'POST',
    path: '/user/page/sso',
    access: 'all',
    rateLimit: 'sign-in',
    summary: 'Begins a sign-in on another page and answers its address',
    body: Type.Object({ source: SourceName, ...loginParameters }),
    data: Type.Object({
      /** Where the browser goes next. */
      go_to: Type.String(),
    }),
  }),
  beginHandOver: route({
    service: 'identity',
    method: 'POST',
    path: '/user/page/third_party',
    access: 'all',
    rateLimit: 'sign-in',
    summary: 'Begins a sign-in whose code the client itself hands over, and answers its address',
    body: Type.Object({
      source: SourceName,
      /** Page of this site that the provider leads back to; without a query. */
      redirect_uri: loginParameters.redirect_uri,
      channel: loginParameters.channel,
      ...loginSource,
      /** Of a verifier that the client keeps and hands over with the code. */
      challenge: CodeChallenge,
    }),
    data: Type.Object({
      /** Where the browser goes next. */
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
    summary: 'Where another sign-in page returns to',
    params: Type.Object({ source: SourceName }),
  }),
  finishSsoByForm: route({
    service: 'identity',
    method: 'POST',
    path: '/user/sso/{source}/callback',
    access: 'all',
    file: true,
    rateLimit: 'code-exchange',
    summary: 'Where another sign-in page has the browser post a form to (SAML 2.0 bindings section 3.5)',
    params: Type.Object({ source: SourceName }),
  }),
  readSsoMetadata: route({
    service: 'identity',
    method: 'GET',
    path: '/user/sso/{source}/metadata',
    access: 'all',
    file: true,
    summary: 'What another sign-in service must know of this site',
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
    /** Where the browser goes next, or what is wanted first. */
    data: Type.Object({ continue_to: Nullable(Type.String()), challenge: Nullable(Challenge) }),
  }),
  passSecondFactor: route({
    service: 'identity',
    method: 'POST',
    path: '/user/page/second_factor',
    access: 'all',
    rateLimit: 'sign-in',
    summary: 'Go on with a sign-in by a code of the second factor, or set one up with it',
    body: Type.Object({ ...waiting, code: TypedCode }),
    /** Recovery codes after setting up, and then nowhere to go before they have been kept. */
    data: Type.Object({ continue_to: Nullable(Type.String()), recovery_codes: RecoveryCodes }),
  }),
  finishEnrolment: route({
    service: 'identity',
    method: 'POST',
    path: '/user/page/second_factor/finish',
    access: 'all',
    rateLimit: 'sign-in',
    summary: 'End a sign-in whose second factor has been set up',
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
      'Make an account and sign in with it. Where mails are sent, a link is mailed first, and the answer does not tell whether there is such an account',
    body: Type.Object({
      email: Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$' }),
      /** Both are chosen at the link where one is mailed. */
      nick_name: Type.Optional(NickName),
      password: Type.Optional(TypedPassword),
      /** Language of the mail. */
      language: Type.Optional(LanguageName),
      ...loginParameters,
    }),
    /** Null: a mail is on its way. */
    data: Type.Object({ continue_to: Nullable(Type.String()) }),
  }),
  finishSignUp: route({
    service: 'identity',
    method: 'POST',
    path: '/user/page/sign_up/finish',
    access: 'all',
    rateLimit: 'sign-in',
    summary: 'Make an account by a mailed link, which proves its e-mail address',
    body: Type.Object({ token: MailToken, nick_name: NickName, password: TypedPassword }),
    data: Nothing,
  }),
};
