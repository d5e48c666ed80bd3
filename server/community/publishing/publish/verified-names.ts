import type { Finding } from '../../../../shared/entities/finding.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { finding } from '../../../../shared/package/finding-codes.ts';
import { type Resembled, resembledBy } from '../../catalogue/publisher-names/resembling.ts';
import { readStanding } from '../../catalogue/publisher-names/store.ts';
import type { Caller } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';

/** Words that say nothing of who it is, at the end or the beginning of a name: "Acme Official". */
const CLAIM = '(?:official|team|inc|llc|ltd|gmbh|corp|官方|公式|공식|официальн(?:ый|ая|ое)|oficial)';
const CLAIMS = new RegExp(
  String.raw`^(?:${CLAIM}\P{L}+|官方|公式|공식)|(?:\P{L}+${CLAIM}|官方|公式|공식)\P{L}*$`,
  'giu',
);

/** A name as it is, and without such words. */
const readAs = (name: string): string[] => [...new Set([name, name.replace(CLAIMS, '')])];

/**
 * Warns about names of a plugin that look like those of verified publishers, once for each language: the reviewer decides, as
 * many names are words.
 * @param publisherId whose plugin it is
 */
export async function verifiedNames(db: Db, names: Texts, publisherId: number): Promise<Finding[]> {
  const asked = Object.entries(names).flatMap(([language, name]) =>
    readAs(name).map((text) => ({ language, text })),
  );
  const resembled = await resembledBy(
    db,
    asked.map(({ text }) => text),
    publisherId,
  );
  const found = new Map<string, Resembled>();
  for (const [place, { language }] of asked.entries()) {
    const one = resembled[place];
    if (one && !found.has(language)) found.set(language, one);
  }
  return [...found].map(([language, other]) =>
    finding('VERIFIED_NAME', { pointer: `/name/${language}` }, paramsOf(other)),
  );
}

/**
 * What is to be said of the name under which a new plugin would be published. One that looks the same as a verified
 * publisher's is refused to who has published nothing yet; everybody else goes on, and the reviewer is told. Who is verified
 * may be called as they are.
 */
export async function publisherNames(db: Db, { user_id, nick_name }: Caller): Promise<Finding[]> {
  const resembled = await resembledBy(db, readAs(nick_name), user_id);
  const other = resembled.find((one) => one?.isSame) ?? resembled.find((one) => one !== undefined);
  if (!other) return [];
  const { is_verified: isVerified, is_public: isPublic } = await readStanding(db, user_id);
  if (isVerified) return [];
  const code = other.isSame && !isPublic ? 'PUBLISHER_NAME_TAKEN' : 'PUBLISHER_NAME_ALIKE';
  return [finding(code, { pointer: '' }, { name: nick_name, ...paramsOf(other) })];
}

function paramsOf({ nick_name, handle }: Resembled): Record<string, string> {
  return { publisher: nick_name, handle };
}
