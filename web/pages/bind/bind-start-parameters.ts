import type { PayloadFor } from '../../api/client.ts';

/** What the page was opened with before there is an account to bind: the document service that it is one of. */
export type BindStartParameters = PayloadFor<'beginBind'>;

const LONGEST = 2048;

/** A parameter of the address; undefined for an empty one too. */
export function readParameter(query: URLSearchParams, name: string): string | undefined {
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
