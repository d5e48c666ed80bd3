import type { SignInOffer } from '../../../shared/routes/sign-in.ts';
import type { DataFor, PayloadFor } from '../../api/client.ts';

/** Parameters of the page, which it returns with the account (R 2.18). */
export type SignInParameters = Omit<PayloadFor<'signIn'>, 'account' | 'password' | 'redirect_uri'> & {
  redirect_uri: string;
};

const RESPONSE_TYPES = ['code', 'none'] as const;
const UX_MODES = ['redirect', 'popup', 'auth'] as const;
const FREE_TEXTS = [
  'from',
  'channel',
  'product',
  'code_challenge',
  'ux_from',
  'login_source_id',
  'app_name',
] as const;

/** Parses the URL's parameters without unknown values; undefined without a return URL. */
export function signInParameters(query: URLSearchParams): SignInParameters | undefined {
  const redirectUri = query.get('redirect_uri');
  if (!redirectUri) return undefined;
  const parameters: SignInParameters = { redirect_uri: redirectUri };
  const responseType = RESPONSE_TYPES.find((known) => known === query.get('response_type'));
  const uxMode = UX_MODES.find((known) => known === query.get('ux_mode'));
  if (responseType) parameters.response_type = responseType;
  if (uxMode) parameters.ux_mode = uxMode;
  if (query.get('code_challenge_method') === 'S256') parameters.code_challenge_method = 'S256';
  if (query.get('bind_other') === 'bind') parameters.bind_other = 'bind';
  for (const name of FREE_TEXTS) {
    const value = query.get(name);
    if (value) parameters[name] = value;
  }
  return parameters;
}

export type SignInMode = 'sign_in' | 'sign_up';

/** Which of its two forms the page shows. */
export function signInMode(query: URLSearchParams): SignInMode {
  return query.get('page') === 'sign_up' ? 'sign_up' : 'sign_in';
}

/** The query of the same page with its other form. */
export function queryForMode(query: URLSearchParams, mode: SignInMode): string {
  const next = new URLSearchParams(query);
  if (mode === 'sign_up') next.set('page', 'sign_up');
  else next.delete('page');
  return `?${next}`;
}

type DocumentService = DataFor<'readSignInOptions'>['document_services'][number];

/** Origin of a sign-in: this site, a document service of the deployment, or an unknown one. */
export type SignInOrigin =
  | { kind: 'here' }
  | { kind: 'documents'; service: DocumentService }
  | { kind: 'unknown' };

export function signInOrigin(
  { ux_from, login_source_id, app_name, bind_other }: SignInParameters,
  known: readonly DocumentService[],
): SignInOrigin {
  if ((ux_from ?? login_source_id ?? app_name ?? bind_other) === undefined) return { kind: 'here' };
  const service = known.find(
    (candidate) =>
      candidate.ux_from === ux_from &&
      candidate.login_source_id === login_source_id &&
      (app_name === undefined || candidate.app_name === app_name),
  );
  return service ? { kind: 'documents', service } : { kind: 'unknown' };
}

/** Sign-in methods for binding an account of a document service: without its own, if there are others. */
export function methodsToBind(methods: readonly SignInOffer[], from: SignInOrigin): readonly SignInOffer[] {
  const others = methods.filter(({ source }) => from.kind !== 'documents' || source !== from.service.source);
  return others.length > 0 ? others : methods;
}
