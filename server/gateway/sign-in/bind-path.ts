import { BASE_PATH, BIND_PATH } from '../../../shared/constants.ts';

/** Longer addresses of where to go on, as the query has them, do not fit into a cookie together with the rest. */
const MAIN_URL_LENGTH = 1536;

/** Where to go on, if that fits into a cookie; else home. */
export function fitting(mainUrl: string): string {
  return encodeURIComponent(mainUrl).length > MAIN_URL_LENGTH ? BASE_PATH : mainUrl;
}

/**
 * The bind page (specification section 2) for what is named by `what`; from there the person goes on to `returnTo`, a
 * path of this site. `folder`: of the document service he comes from.
 */
export function bindPath(
  what: Readonly<Record<string, string>>,
  { returnTo, folder }: { returnTo: string; folder: string | undefined },
): string {
  const query = new URLSearchParams({
    ...what,
    mainUrl: fitting(returnTo),
    ...(folder !== undefined && { txDocFolderId: folder }),
  });
  return `${BIND_PATH}?${query}`;
}
