import { readFile, stat } from 'node:fs/promises';
import type { JSONWebKeySet } from 'jose';
import { Check } from 'typebox/value';
import type { LogHead } from '../../../shared/entities/transparency.ts';
import { startError } from '../../database/errors.ts';
import type { Fetch } from '../../http/outgoing.ts';
import { openBundle } from './bundle.ts';
import { checkFolder } from './folder.ts';
import { type Report, walkLog } from './log.ts';
import { jwksSchema } from './signature.ts';
import { fetchKeys, type LogSource, openSite } from './site.ts';

export type VerifyOptions = {
  /** Asks sites. */
  ask: Fetch;
  /** Address of a site, a bundle, or a folder of packages. */
  target: string;
  /** For a folder: the site or bundle with the log. */
  log?: string | undefined;
  /** File or address of the only keys to trust. */
  keys?: string | undefined;
  /** Public key that must have signed a bundle. */
  trust?: string | undefined;
  /** A head of the log from an earlier call. */
  seen?: LogHead | undefined;
};

/** What was found; `problems` are sentences. */
export type Verified = { head: LogHead; packages: number; problems: string[] };

/**
 * Walks the log of a site or bundle, and checks the listed versions, the packages of the bundle, or those of a folder.
 * @throws start error for what cannot be read, or a folder without a log
 */
export async function verify({ ask, target, log, keys, trust, seen }: VerifyOptions): Promise<Verified> {
  const problems: string[] = [];
  const report: Report = (problem) => void problems.push(problem);
  const pinned = keys === undefined ? undefined : await readKeys(keys, ask);
  const isFolder = !isAddress(target) && (await isDirectory(target));
  if (isFolder && log === undefined)
    throw startError('A folder needs --log with the site or the bundle of its log.');
  const source = await open(isFolder ? (log ?? '') : target, { ask, pinned, trust, report });
  const heads = [...source.heads, ...(seen ? [seen] : [])];
  const walked = await walkLog(source.entries, { heads, report });
  const packages = isFolder
    ? await checkFolder(target, walked, report)
    : await source.checkVersions(walked, report);
  return { head: walked.head, packages, problems };
}

async function open(
  place: string,
  {
    ask,
    pinned,
    trust,
    report,
  }: Pick<VerifyOptions, 'ask' | 'trust'> & { pinned: JSONWebKeySet | undefined; report: Report },
): Promise<LogSource> {
  if (isAddress(place)) return openSite(place, { ask, pinned, report });
  return openBundle(place, { pinned, trusted: trust });
}

function isAddress(place: string): boolean {
  return /^https?:\/\//.test(place);
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

async function readKeys(place: string, ask: Fetch): Promise<JSONWebKeySet> {
  if (isAddress(place)) return fetchKeys(new URL(place), ask);
  const text = await readFile(place, 'utf8').catch((error: unknown) => {
    throw startError(`${place} cannot be read.`, error);
  });
  const keys: unknown = JSON.parse(text);
  if (!Check(jwksSchema, keys)) throw startError(`${place} has no keys.`);
  return keys;
}
