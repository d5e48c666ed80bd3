import type { FastifyInstance } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import type {
  CatalogueChange,
  CatalogueChanges,
  ToldWithdrawal,
} from '../../../../shared/entities/client.ts';
import { packageUrl } from '../../../../shared/media.ts';
import { readHostRanges } from '../../../../shared/package/hosts.ts';
import { rightsOf } from '../../../../shared/package/permission-changes.ts';
import type { QueryOf } from '../../../../shared/route.ts';
import { SIGNATURE_HEADER } from '../../../../shared/signed.ts';
import { tryWithLock } from '../../../database/advisory-lock.ts';
import { appError } from '../../../http/errors.ts';
import { implement, WRITTEN } from '../../../http/implement.ts';
import { repeatWhileListening } from '../../../http/repeat.ts';
import type { Db } from '../../schema.ts';
import { NO_PROOF, type Proof } from '../transparency/proof.ts';
import type { WithdrawalRow } from '../withdrawal/withdrawn.ts';
import { createSignedPages } from './signed-page.ts';
import { type ChangeRow, hasNotes, numberNotes, readChanges, readRevision } from './store.ts';

/** Milliseconds between a change and its place in the order, at most. */
const INTERVAL = 1000;
const LOCK = 'plugin-square catalogue changes';

/** Orders what was committed since the last call. Another instance that does it at the moment is enough. */
export async function numberChanges(db: Db): Promise<void> {
  if (!(await hasNotes(db))) return;
  await tryWithLock(db, LOCK, () => numberNotes(db));
}

/**
 * Reads a page of public plugins in the order of their last change.
 * @throws BAD_CURSOR for a position that was not reached yet
 */
export async function listChanges(
  db: Db,
  { after, limit }: QueryOf<typeof contract.readCatalogueChanges>,
): Promise<CatalogueChanges> {
  const { revision, rows } = await readChanges(db, { after, limit: limit + 1 });
  if (after > revision) throw appError('BAD_CURSOR');
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return {
    change_list: page.map(toChange),
    next: hasMore ? (page.at(-1)?.position ?? after) : revision,
    has_more: hasMore,
  };
}

function toChange({
  current,
  is_visible,
  withdrawal,
  deprecation,
  withdrawn_versions,
  ...row
}: ChangeRow): CatalogueChange {
  const { domains, permissions } = rightsOf({ permissions: current?.permissions }, current?.domains ?? []);
  return {
    position: row.position,
    plugin_key: row.plugin_key,
    state: withdrawal ? 'withdrawn' : is_visible ? 'listed' : 'unlisted',
    version: current?.version ?? '',
    package: toPackage(current?.proof),
    domains,
    permissions,
    ...toCompatibility(current && { host_range: current.host_range, manifest: { api: current.api } }),
    withdrawal: withdrawal && told(withdrawal),
    deprecation: deprecation && {
      texts: deprecation.texts,
      deprecated_at: new Date(deprecation.deprecated_at).toISOString(),
      successor: deprecation.successor?.plugin_key ?? null,
    },
    withdrawn_versions: withdrawn_versions.map(({ version, digest, ...found }) => ({
      version,
      digest,
      ...told(found),
    })),
  };
}

/** What a version asks of the tool that runs it. */
export function toCompatibility(found: { host_range: string | null; manifest: { api: unknown } } | null) {
  const { host_range = null, manifest } = found ?? {};
  return { api: typeof manifest?.api === 'string' ? manifest.api : null, hosts: readHostRanges(host_range) };
}

/** The time as in other responses. */
function told({ reason, texts, must_stop, withdrawn_at }: WithdrawalRow): ToldWithdrawal {
  return { reason, texts, must_stop, withdrawn_at: new Date(withdrawn_at).toISOString() };
}

/** What of a version is downloaded; null without a package, and until its digest is known. */
export function toPackage({ digest, size, signature }: Proof = NO_PROOF) {
  if (digest === null || size === null) return null;
  return { digest, size, signature, address: packageUrl(digest) };
}

/** What changed in the catalogue, for tools; signed, so that any cache may answer. */
export function changesRoutes(app: FastifyInstance): void {
  const { db, clock: now, log, community } = app;
  const { signing, perf } = community;
  const signedPage = createSignedPages(db, { signing, now, perf, read: (page) => listChanges(db, page) });
  implement(app, contract.readCatalogueChanges, async ({ query, reply }): Promise<typeof WRITTEN> => {
    const revision = await readRevision(db);
    if (query.after > revision) throw appError('BAD_CURSOR');
    const { body, signature } = await signedPage(query, revision);
    reply.header(SIGNATURE_HEADER, signature).type('application/json; charset=utf-8').send(body);
    return WRITTEN;
  });
  repeatWhileListening(app, {
    every: INTERVAL,
    log,
    failed: 'changes of the catalogue could not be put in order',
    recovered: 'changes of the catalogue are put in order again',
    async run() {
      await numberChanges(db);
      return undefined;
    },
  });
}
