import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import type {
  InstalledItem,
  InstalledState,
  InstalledStateName,
} from '../../../../shared/entities/client.ts';
import { type Language, textIn } from '../../../../shared/languages.ts';
import { rightsOf } from '../../../../shared/package/permission-changes.ts';
import { implement, WRITTEN } from '../../../http/implement.ts';
import { toCompatibility, toPackage } from '../../catalogue/changes/changes.ts';
import { type Revisions, readRevisions } from '../../catalogue/changes/store.ts';
import {
  hostOf,
  type InstallationReader,
  type ResolvedInstallation,
  readInstallations,
} from '../../catalogue/installations/installations.ts';
import { updatePolicyNow } from '../../catalogue/installations/update-age.ts';
import { languageOf } from '../../language.ts';
import { callerOf } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';
import { type OwnedRow, readOwned } from './store.ts';

/** All that a person has installed, for a tool that asks again and again. */
export function stateRoutes(app: FastifyInstance): void {
  const { db } = app;
  implement(app, contract.readInstalledState, async ({ query, request, reply }) => {
    const updates = updatePolicyNow(app);
    const reader = {
      userId: callerOf(request).user_id,
      language: languageOf(request),
      host: hostOf(query),
      updates,
    };
    const known = knownAnswer(request, reader);
    // Read before the rows: a change in between makes the next call read again, and is never missed.
    const revisions = await readRevisions(db, reader.userId, known?.catalogue ?? null);
    reply.headers({ 'cache-control': 'private, no-cache', vary: 'Accept-Language' });
    const isSame = known?.own === (revisions.own ?? NEVER) && revisions.is_touched === false;
    if (known && isSame && (known.until === NOTHING_WAITS || updates.now < known.until)) {
      reply.code(304).header('etag', known.etag).send();
      return WRITTEN;
    }
    const { state, until } = await readState(db, reader);
    reply.header('etag', etagOf(reader, { ...revisions, until }));
    return state;
  });
}

type StateReader = { userId: number } & InstallationReader;

/** In place of the revision of a person who never changed anything. */
const NEVER = '0';

/** In place of the time when the next version is old enough. */
const NOTHING_WAITS = 0;

function etagOf(
  reader: StateReader,
  { own, catalogue, until }: Revisions & { until: number | null },
): string {
  return `"${askedBy(reader)}.${own ?? NEVER}.${catalogue}.${until ?? NOTHING_WAITS}"`;
}

/** What an answer depends on besides the revisions. */
function askedBy({ userId, language, host, updates }: StateReader): string {
  const { days, choice } = updates;
  return [userId, language, `${days}-${choice}`, ...(host ? [host.name, host.version] : [])].join('.');
}

const ETAG = /"([\w.+-]+)\.([\w-]+)\.(\d{1,15})\.(\d{1,15})"/;

/** An answer that the client has, by its ETag: to the same question of the same person, with its revisions. */
function knownAnswer({ headers }: FastifyRequest, reader: StateReader) {
  const [etag, asked, own, catalogue, until] = ETAG.exec(headers['if-none-match'] ?? '') ?? [];
  if (asked !== askedBy(reader) || etag === undefined || own === undefined) return undefined;
  return { etag, own, catalogue: Number(catalogue), until: Number(until) };
}

/** Reads all that a person has installed or tries, and until when that holds if nobody changes anything. */
async function readState(
  db: Db,
  { userId, ...reader }: StateReader,
): Promise<{ state: InstalledState; until: number | null }> {
  const owned = await readOwned(db, userId);
  if (owned.length === 0) return { state: { plugin_list: [] }, until: null };
  const installations = await readInstallations(db, userId, { ids: owned.map(({ id }) => id) }, reader);
  const times = [...installations.values()].flatMap(({ ripeAt }) => ripeAt ?? []);
  const plugin_list = owned.flatMap((row) => {
    const found = installations.get(row.id);
    return found ? [toItem(row, found, reader.language)] : [];
  });
  return { state: { plugin_list }, until: times.length > 0 ? Math.min(...times) : null };
}

function toItem(
  { plugin_key, names, default_lang, is_visible }: OwnedRow,
  found: ResolvedInstallation,
  language: Language,
): InstalledItem {
  const { served, incompatible, installation } = found;
  const name = textIn(names, language, default_lang);
  const { domains, permissions } = served ? rightsOf(served.manifest, served.domains) : rightsOf(null, []);
  return {
    plugin_key,
    name: name.text,
    lang: name.lang,
    state: stateOf(found),
    is_listed: is_visible,
    version: installation.version,
    package: toPackage(served?.proof),
    domains,
    permissions,
    ...toCompatibility(served ?? incompatible),
    update: installation.update,
    trial: installation.trial,
    hold: installation.hold ?? null,
    waiting: installation.waiting ?? null,
    withdrawal: installation.withdrawal ?? null,
    deprecation: installation.deprecation ?? null,
  };
}

function stateOf({ installation, served, incompatible }: ResolvedInstallation): InstalledStateName {
  if (installation.withdrawal) return 'withdrawn';
  if (incompatible) return 'incompatible';
  if (installation.trial) return 'trial';
  if (!served) return 'unavailable';
  if (installation.deprecation) return 'deprecated';
  return installation.update_available ? 'update_offered' : 'active';
}
