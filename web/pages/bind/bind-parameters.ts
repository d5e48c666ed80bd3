import type { Proof } from '../../../shared/entities/sign-in.ts';
import { onwardAddress, type SiteOrigins } from '../../../shared/onward-address.ts';
import type { ApiError } from '../../api/api-error.ts';
import type { PayloadFor } from '../../api/client.ts';

/** Parameters of the page (R 2.20). */
export type BindParameters = {
  /** Id of the third-party account. */
  id: string;
  /** Return URL, unchanged. */
  mainUrl: string | undefined;
  /** Folder of a document service, which has created the link. */
  txDocFolderId: string | undefined;
};

/** Parses the URL's parameters; undefined without an account to bind. */
export function bindParameters(query: URLSearchParams): BindParameters | undefined {
  const id = readParameter(query, 'id');
  return id === undefined
    ? undefined
    : { id, mainUrl: readParameter(query, 'mainUrl'), txDocFolderId: readParameter(query, 'txDocFolderId') };
}

/** The binding payload (R 14.44): the link's parameters, without a return URL to another site. */
export function bindPayload(
  { id, mainUrl, txDocFolderId }: BindParameters,
  site: SiteOrigins,
): PayloadFor<'bindThirdParty'> {
  return {
    id,
    ...(mainUrl !== undefined && onwardAddress(mainUrl, site) !== undefined && { mainUrl }),
    ...(txDocFolderId !== undefined && { txDocFolderId }),
  };
}

/** Parameters of the page before there is an account to bind: its document service. */
export type BindStartParameters = PayloadFor<'beginBind'>;

const LONGEST = 2048;

/** A parameter of the URL; undefined if empty. */
function readParameter(query: URLSearchParams, name: string): string | undefined {
  return query.get(name)?.trim().slice(0, LONGEST) || undefined;
}

/** Parameters of a URL with a document service and no account of it yet; else undefined. */
export function bindStartParameters(query: URLSearchParams): BindStartParameters | undefined {
  const [ux_from, login_source_id] = [
    readParameter(query, 'ux_from'),
    readParameter(query, 'login_source_id'),
  ];
  if (query.has('id') || ux_from === undefined || login_source_id === undefined) return undefined;
  const [mainUrl, txDocFolderId] = [readParameter(query, 'mainUrl'), readParameter(query, 'txDocFolderId')];
  return {
    ux_from,
    login_source_id,
    ...(mainUrl !== undefined && { mainUrl }),
    ...(txDocFolderId !== undefined && { txDocFolderId }),
  };
}

/** Why binding failed; each has texts in the namespace `bind`. */
type BindError = 'not_here' | 'taken' | 'invalid' | 'forbidden' | 'unsupported' | 'unavailable';

const BY_STATUS: Readonly<Record<number, BindError>> = {
  400: 'invalid',
  403: 'forbidden',
  404: 'invalid',
  409: 'taken',
  410: 'invalid',
  422: 'invalid',
};

const WRONG_PROOF: readonly unknown[] = ['SECOND_FACTOR_WRONG', 'PASSWORD_WRONG'];

/**
 * Reason of the user service's error; its own messages aren't for users. No response, or an empty one
 * (R 8.17), counts as an unavailable service.
 */
export function bindErrorOf({ status, reason }: Pick<ApiError, 'status' | 'reason'>): BindError {
  // A sign-in service without binding has no such call, or returns an error for it.
  if (reason === 'BIND_REFUSED') return 'not_here';
  if (reason === 'NOT_IMPLEMENTED' || reason === 'NOT_FOUND') return 'unsupported';
  return BY_STATUS[status] ?? 'unavailable';
}

/** The form's error for a rejected reauthentication: beside its field, or by another method. */
export function isProofError(
  { reason, retryAfter }: Pick<ApiError, 'reason' | 'retryAfter'>,
  proof: Proof | undefined,
): boolean {
  if (reason === 'REAUTHENTICATION_REQUIRED') return true;
  if (proof !== 'code' && proof !== 'password') return false;
  return reason === 'TOO_MANY_REQUESTS' ? retryAfter !== undefined : WRONG_PROOF.includes(reason);
}

/** A retry may help. */
export function canRetry(bindError: BindError): boolean {
  return bindError === 'unavailable';
}
