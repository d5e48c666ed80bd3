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

/** Longer ones are no names; those of plugins are refused. */
const NAME_MAX = 200;

/** A name as it is, and without such words. */
const readAs = (name: string): string[] =>
  name.length > NAME_MAX ? [] : [...new Set([name, name.replace(CLAIMS, '')])];

type Asked = {
  /** The plugin's new names. */
  names: Texts;
  publisherId: number;
  /** Who publishes a new plugin, under their name; null for a change. */
  newBy: Caller | null;
};

/**
 * What is to be said of names that look like those of verified publishers: those of a plugin, once for each language, of which
 * many are words, so that the reviewer decides; and that of who publishes a new one.
 */
export async function verifiedNames(db: Db, { names, publisherId, newBy }: Asked): Promise<Finding[]> {
  const ofPlugin = Object.entries(names).flatMap(([language, name]) =>
    readAs(name).map((text) => ({ text, pointer: `/name/${language}` })),
  );
  const ofPublisher = (newBy ? readAs(newBy.nick_name) : []).map((text) => ({ text, pointer: '' }));
  const asked = [...ofPlugin, ...ofPublisher];
  const texts = asked.map(({ text }) => text);
  const resembled = await resembledBy(db, texts, publisherId);
  const found = new Map<string, Resembled>();
  for (const [place, { pointer }] of asked.entries()) {
    const one = resembled[place];
    if (one && !found.get(pointer)?.isSame) found.set(pointer, one);
  }
  const publisher = found.get('');
  found.delete('');
  return [
    ...[...found].map(([pointer, other]) => finding('VERIFIED_NAME', { pointer }, paramsOf(other))),
    ...(newBy && publisher ? await publisherFindings(db, newBy, publisher) : []),
  ];
}

/**
 * A publisher's name that looks the same as a verified one is refused to who has published nothing yet; everybody else goes on,
 * and the reviewer is told. Who is verified may be called as they are.
 */
async function publisherFindings(
  db: Db,
  { user_id, nick_name }: Caller,
  other: Resembled,
): Promise<Finding[]> {
  const { is_verified: isVerified, is_public: isPublic } = await readStanding(db, user_id);
  if (isVerified) return [];
  const code = other.isSame && !isPublic ? 'PUBLISHER_NAME_TAKEN' : 'PUBLISHER_NAME_ALIKE';
  return [finding(code, { pointer: '' }, { name: nick_name, ...paramsOf(other) })];
}

function paramsOf({ nick_name, handle }: Resembled): Record<string, string> {
  return { publisher: nick_name, handle };
}
