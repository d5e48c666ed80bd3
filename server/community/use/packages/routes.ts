import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import { appError } from '../../../http/errors.ts';
import { implement, isFresh } from '../../../http/implement.ts';
import { type InstallationReader, readInstallations } from '../../catalogue/installations/installations.ts';
import { updatePolicyNow } from '../../catalogue/installations/update-age.ts';
import { refuseWithdrawn } from '../../catalogue/withdrawal/withdrawn.ts';
import { rangeOf } from '../../files/media/routes.ts';
import { languageOf } from '../../language.ts';
import { type Caller, visitorOrCaller } from '../../people/auth/caller.ts';
import { canGetEveryPackage } from '../../people/policy.ts';
import type { Db } from '../../schema.ts';
import type { DownloadCounting } from '../downloads/downloads.ts';
import type { Releases } from './releases.ts';
import { type ReleaseRow, readReleases } from './store.ts';

/** Packages by their content (R 6.8). */
export function packageRoutes(
  app: FastifyInstance,
  { releases, downloads }: { releases: Releases; downloads: DownloadCounting },
): void {
  const { db } = app;
  implement(app, contract.readPackage, async ({ params: { sha256 }, request, reply }) => {
    const caller = visitorOrCaller(request);
    const found = await findRelease(db, sha256, {
      caller,
      language: languageOf(request),
      updates: updatePolicyNow(app),
    });
    const etag = `"${sha256}"`;
    reply.headers({ ...HEADERS, 'cache-control': found.is_public ? PUBLIC : PRIVATE, etag });
    if (isFresh(request, etag)) {
      reply.code(304).send();
      return undefined;
    }
    reply.type('application/octet-stream').headers({
      'accept-ranges': 'bytes',
      'content-disposition': `attachment; filename="${sha256}.json"`,
      'repr-digest': digestField(Buffer.from(sha256, 'hex')),
    });
    if (request.method === 'HEAD') {
      reply.header('content-length', found.bytes).send(Readable.from([]));
      return undefined;
    }
    const content = await releases.read(found.name);
    sendPart(content, request, reply);
    if (caller) downloads.add({ userId: caller.user_id, packageName: found.name });
    return undefined;
  });
}

/**
 * Content never changes under its digest, so browsers and tools keep it. Shared caches ask again after half a minute, because
 * a withdrawn package must stop being delivered.
 */
const PUBLIC = 'public, s-maxage=30, max-age=31536000, immutable';
const PRIVATE = 'private, max-age=31536000, immutable';
/** A package opened in a browser must not run. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
};

/**
 * The stored package with this digest that the caller may get: one of a version that everybody sees, of one that an install
 * may deliver to one tool or another, the one of a trial, for administrators any.
 * @throws PLUGIN_WITHDRAWN, VERSION_WITHDRAWN with the reason; MEDIA_NOT_FOUND, also for one that the caller may not get
 */
async function findRelease(
  db: Db,
  digest: string,
  { caller, ...reader }: { caller: Caller | null } & InstallationReader,
): Promise<ReleaseRow> {
  const found = await readReleases(db, digest, caller?.user_id ?? null);
  const allowed =
    found.find(({ is_public }) => is_public) ??
    (canGetEveryPackage(caller) ? found.find(({ is_kept }) => is_kept) : undefined) ??
    (caller ? await findHeld(db, found, { caller, ...reader }) : undefined);
  if (allowed) return allowed;
  const noStore = { headers: { 'cache-control': 'no-store' } };
  refuseWithdrawn(found.find(({ withdrawn }) => withdrawn)?.withdrawn ?? null, reader.language, noStore);
  throw appError('MEDIA_NOT_FOUND', noStore);
}

async function findHeld(
  db: Db,
  found: readonly ReleaseRow[],
  { caller: { user_id: userId }, ...reader }: { caller: Caller } & InstallationReader,
): Promise<ReleaseRow | undefined> {
  const installed = found.find(({ is_installed }) => is_installed);
  if (installed) return installed;
  const ids = found.flatMap(({ held }) => held);
  if (ids.length === 0) return undefined;
  const installations = await readInstallations(db, userId, { ids }, reader);
  return found.find(({ name, held }) => held.some((id) => installations.get(id)?.served?.file === name));
}

/** Sends a package or the part that was asked for, each with its own digest (RFC 9530). */
function sendPart(content: Uint8Array, request: FastifyRequest, reply: FastifyReply): undefined {
  const range = wantedRange(request, reply, content.length);
  if (range === 'unsatisfiable') {
    throw appError('RANGE_NOT_SATISFIABLE', {
      headers: { 'content-range': `bytes */${content.length}`, 'cache-control': 'no-store' },
    });
  }
  const part = range ? content.subarray(range.start, range.end + 1) : content;
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${content.length}`);
  reply.header('content-digest', digestField(createHash('sha256').update(part).digest())).send(part);
}

/** If-Range compares strongly; a date never matches, since content has none (RFC 9110 section 13.1.5). */
function wantedRange({ headers }: FastifyRequest, reply: FastifyReply, bytes: number) {
  const condition = headers['if-range'];
  const isCurrent = condition === undefined || condition === reply.getHeader('etag');
  return isCurrent ? rangeOf(headers.range, bytes) : undefined;
}

/** A digest as a structured field (RFC 9530 section 2, RFC 9651). */
function digestField(sha256: Buffer): string {
  return `sha-256=:${sha256.toString('base64')}:`;
}
