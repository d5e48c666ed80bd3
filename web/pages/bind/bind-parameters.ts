import type { Proof } from '../../../shared/entities/sign-in.ts';
import { onwardAddress, type SiteOrigins } from '../../../shared/onward-address.ts';
import type { ApiError } from '../../api/api-error.ts';
import type { PayloadFor } from '../../api/client.ts';

/** What the page was opened with (specification section 2). */
export type BindParameters = {
  /** Names the account of the third party. */
  id: string;
  /** Where to go on afterwards, as it came. */
  mainUrl: string | undefined;
  /** Folder of a document service; such a link comes from there. */
  txDocFolderId: string | undefined;
};

/** The parameters of the address; undefined when it does not say what to bind. */
export function bindParameters(query: URLSearchParams): BindParameters | undefined {
  const id = readParameter(query, 'id');
  return id === undefined
    ? undefined
    : { id, mainUrl: readParameter(query, 'mainUrl'), txDocFolderId: readParameter(query, 'txDocFolderId') };
}

/** The binding payload (specification section 7): what the link has brought, but no address that leads elsewhere. */
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

/** What the page was opened with before there is an account to bind: the document service that it is one of. */
export type BindStartParameters = PayloadFor<'beginBind'>;

const LONGEST = 2048;

/** A parameter of the address; undefined for an empty one too. */
function readParameter(query: URLSearchParams, name: string): string | undefined {
  return query.get(name)?.trim().slice(0, LONGEST) || undefined;
}

/** The parameters of an address that names a document service and no account of it yet; else undefined. */
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

/** Why nothing was bound; each has its texts in the namespace `bind`. */
type BindRefusal = 'not_here' | 'taken' | 'invalid' | 'forbidden' | 'unsupported' | 'unavailable';

const BY_STATUS: Readonly<Record<number, BindRefusal>> = {
  400: 'invalid',
  403: 'forbidden',
  404: 'invalid',
  409: 'taken',
  410: 'invalid',
  422: 'invalid',
};

const WRONG_PROOF: readonly unknown[] = ['SECOND_FACTOR_WRONG', 'PASSWORD_WRONG'];

/**
 * What a refusal of the user service means; its own words are no texts for people. No answer, and an empty one
 * (specification section 8), count as a service that cannot be reached.
 */
export function refusalOf({ status, reason }: Pick<ApiError, 'status' | 'reason'>): BindRefusal {
  // A deployment whose sign-in service binds no accounts has no such call at all, or one that says so.
  if (reason === 'BIND_REFUSED') return 'not_here';
  if (reason === 'NOT_IMPLEMENTED' || reason === 'NOT_FOUND') return 'unsupported';
  return BY_STATUS[status] ?? 'unavailable';
}

/** What the form itself says of the way in which the person proves who they are: beside its field, or by another one. */
export function isAboutProof(
  { reason, retryAfter }: Pick<ApiError, 'reason' | 'retryAfter'>,
  proof: Proof | undefined,
): boolean {
  if (reason === 'REAUTHENTICATION_REQUIRED') return true;
  if (proof !== 'code' && proof !== 'password') return false;
  return reason === 'TOO_MANY_REQUESTS' ? retryAfter !== undefined : WRONG_PROOF.includes(reason);
}

/** Trying once more may help. */
export function mayHelpToRetry(refusal: BindRefusal): boolean {
  return refusal === 'unavailable';
}
