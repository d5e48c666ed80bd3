import { FlattenedSign } from 'jose';
import { LRUCache, type Perf } from 'lru-cache';
import { contract } from '../../../../shared/contract.ts';
import type { CatalogueChanges } from '../../../../shared/entities/client.ts';
import type { QueryOf } from '../../../../shared/route.ts';
import { CHANGES_TYPE } from '../../../../shared/signed.ts';
import { SIGNING_ALGORITHM } from '../../../encryption/signing-key.ts';
import type { Db } from '../../schema.ts';
import type { Signing } from '../transparency/approvals.ts';
import { signingKey } from '../transparency/keys.ts';

type Page = QueryOf<typeof contract.readCatalogueChanges>;

/** A response as it is sent. */
type SignedPage = {
  body: string;
  /** JWS with a detached payload, which is the body (RFC 7515 appendix F). */
  signature: string;
};

const CACHE_BYTES = 16 * 1024 * 1024;
/** Milliseconds until an unchanged page is signed again, so that its time tells whether somebody holds back newer ones. */
const SIGNED_FOR = 5 * 60 * 1000;

type Options = {
  signing: Signing;
  /** Milliseconds since 1970. */
  now: () => number;
  perf?: Perf | undefined;
  /** Reads a page. */
  read: (page: Page) => Promise<CatalogueChanges>;
};

/**
 * Reads and signs each page once until the catalogue changes.
 * @returns reads a page; `revision` is the position of the catalogue
 */
export function createSignedPages(
  db: Db,
  { signing, now, perf, read }: Options,
): (page: Page, revision: number) => Promise<SignedPage> {
  const sign = async (page: Page): Promise<SignedPage> => {
    const body = JSON.stringify({ code: 0, message: 'ok', data: await read(page) });
    const at = new Date(now());
    const { kid, key } = await db.transaction().execute((trx) => signingKey(trx, signing, at));
    const query = new URLSearchParams({ after: String(page.after), limit: String(page.limit) });
    const signed = await new FlattenedSign(new TextEncoder().encode(body))
      .setProtectedHeader({
        alg: SIGNING_ALGORITHM,
        kid,
        typ: CHANGES_TYPE,
        url: `${signing.issuer}${contract.readCatalogueChanges.path}?${query}`,
        iat: Math.floor(at.getTime() / 1000),
      })
      .sign(key);
    return { body, signature: `${signed.protected}..${signed.signature}` };
  };
  const cache = new LRUCache<string, SignedPage, Page>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ body }) => Math.min(2 * body.length, CACHE_BYTES),
    ttl: SIGNED_FOR,
    ttlResolution: 0,
    ...(perf && { perf }),
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context }) => sign(context),
  });
  return (page, revision) => cache.forceFetch(`${revision} ${page.after} ${page.limit}`, { context: page });
}
