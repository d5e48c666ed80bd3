import { onwardAddress, type SiteOrigins } from '../../../shared/onward-address.ts';
import type { PayloadFor } from '../../api/client.ts';
import { readParameter } from './bind-start-parameters.ts';

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
