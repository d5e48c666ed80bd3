import type { JSONWebKeySet } from 'jose';
import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import type { CatalogueChange } from '../../../shared/entities/client.ts';
import type { LogEntry, LogHead } from '../../../shared/entities/transparency.ts';
import { clientRoutes } from '../../../shared/routes/client.ts';
import { transparencyRoutes } from '../../../shared/routes/transparency.ts';
import { LOG_HEAD_TYPE } from '../../../shared/signed.ts';
import { startError } from '../../database/errors.ts';
import type { Fetch } from '../../http/outgoing.ts';
import { checkListed } from './listed.ts';
import type { Report, WalkedLog } from './log.ts';
import { checkSignature, jwksSchema } from './signature.ts';

/** Entries of one answer. */
const PAGE = 1000;

const headSchema = Type.Object({ sequence: Type.Integer(), hash: Type.String() });

/** A log with the keys of its site, and the versions that it is about. */
export type LogSource = {
  heads: LogHead[];
  entries: AsyncIterable<LogEntry>;
  /** Checks each version. @returns their number */
  checkVersions(log: WalkedLog, report: Report): Promise<number>;
};

/**
 * Opens a site, the head of whose log must be signed.
 * @param pinned keys to trust in place of those that the site answers
 * @throws start error when the site does not answer as it should
 */
export async function openSite(
  site: string,
  { ask, pinned, report }: { ask: Fetch; pinned: JSONWebKeySet | undefined; report: Report },
): Promise<LogSource> {
  const { readLogHead, listLog } = transparencyRoutes;
  const keys = pinned ?? (await fetchKeys(new URL(transparencyRoutes.readApprovalKeys.path, site), ask));
  const { signature, ...head } = await fetchData(new URL(readLogHead.path, site), readLogHead.data, ask);
  const checked = await checkSignature(signature, { keys, typ: LOG_HEAD_TYPE, schema: headSchema });
  if ('flaw' in checked) report(`The signature of the head ${checked.flaw}.`);
  else if (checked.claims.sequence !== head.sequence || checked.claims.hash !== head.hash)
    report('The head of the log is another one than the signed one.');
  async function* entriesAfter(sequence: number): AsyncGenerator<LogEntry> {
    for (let after = sequence; ; ) {
      const url = new URL(`${listLog.path}?after=${after}&limit=${PAGE}`, site);
      const { entry_list } = await fetchData(url, listLog.data, ask);
      yield* entry_list;
      const next = Math.max(after, ...entry_list.map(({ sequence }) => sequence));
      if (next === after) return;
      after = next;
    }
  }
  async function* changes(): AsyncGenerator<CatalogueChange> {
    const { path, data } = clientRoutes.readCatalogueChanges;
    for (let after = 0, more = true; more; ) {
      const url = new URL(`${path}?after=${after}&limit=${PAGE}`, site);
      const { change_list, next, has_more } = await fetchData(url, data, ask);
      yield* change_list;
      more = has_more;
      after = next;
    }
  }
  return {
    heads: [head],
    entries: entriesAfter(0),
    checkVersions: (log, versionReport) =>
      checkListed({ keys, changes: changes(), entriesAfter }, log, versionReport),
  };
}

/** @throws start error for anything but a JWK set */
export async function fetchKeys(url: URL, ask: Fetch): Promise<JSONWebKeySet> {
  const keys = await fetchJson(url, ask);
  if (!Check(jwksSchema, keys)) throw startError(`${url.href} does not answer keys.`);
  return keys;
}

async function fetchData<S extends TSchema>(url: URL, schema: S, ask: Fetch): Promise<Static<S>> {
  const answer = await fetchJson(url, ask);
  const envelope = Type.Object({ data: Type.Unknown() });
  const data = Check(envelope, answer) ? answer.data : undefined;
  if (!Check(schema, data)) throw startError(`${url.href} does not answer as this release expects.`);
  return data;
}

async function fetchJson(url: URL, ask: Fetch): Promise<unknown> {
  try {
    const response = await ask(url.href, { method: 'GET', headers: { 'x-requested-with': 'verify' } });
    if (response.ok) return await response.json();
    throw new Error(`status ${response.status}`);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw startError(`${url.href} cannot be read (${reason}).`, error);
  }
}
