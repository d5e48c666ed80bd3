import { createHash } from 'node:crypto';
import type { Language } from '../../shared/languages.ts';
import { hash, share } from './seeded.ts';
import { languagesOf, textsOf } from './texts.ts';

/** Number of plugins, and of those with an open submission. */
export type Size = { count: number; waiting: number };

/** A generated plugin, before it is converted to rows. */
export type GeneratedPlugin = {
  /** Starts at 1; the id of its row. */
  id: number;
  plugin_key: string;
  publisher_id: number;
  default_lang: Language;
  texts: { lang: Language; name: string; intro: string; description: string }[];
  tag_ids: number[];
  picture_key: string;
  audit_status: 1 | 2 | 3;
  is_hidden: boolean;
  /** Whether a second version with the same texts waits for review. */
  has_change: boolean;
  created_at: string;
  updated_at: string;
  praise_count: number;
  install_count: number;
  view_count: number;
  /** What its package declares, and what was found in it. */
  code: {
    permissions: string[];
    allowed_domains: string[];
    host_range: string | null;
    has_warnings: boolean;
  };
  /** Users that like it and have installed it, for whom rows are generated. */
  users: number[];
};

export const TAG_COUNT = 20;
export const FIRST_PUBLISHER = 1000;
/** Owns one plugin in fifty; the busy user has installed and liked as many. */
export const BUSY_PUBLISHER = FIRST_PUBLISHER;
/** One publisher in ten has proved a domain. */
export const isVerified = (publisherId: number): boolean => publisherId % 10 === 1;
export const BUSY_USER = 7;
export const REVIEWER = 1;
const FIRST_USER = 1_000_000;
const START = Date.UTC(2023, 0, 1);
const YEARS = 3 * 365 * 24 * 60 * 60 * 1000;
const DAY = 24 * 60 * 60 * 1000;

export function publisherCount({ count }: Size): number {
  return Math.max(10, Math.floor(count / 20));
}

/** The plugin with this number, from 1 to the count. */
export function pluginOf(id: number, size: Size): GeneratedPlugin {
  const languages = languagesOf(id);
  const standing = statusOf(id, size);
  const created = START + Math.floor(share(id, 71) * YEARS);
  const users = usersOf(id, size);
  const likes = Math.floor(2 / (share(id, 72) + 1e-5) ** 0.8);
  const key = createHash('sha256').update(`picture ${id}`).digest('hex');
  return {
    id,
    plugin_key: `many-${String(id).padStart(8, '0')}`,
    publisher_id:
      FIRST_PUBLISHER + (share(id, 73) < 0.02 ? 0 : 1 + (hash(id, 74) % (publisherCount(size) - 1))),
    default_lang: languages[0] ?? 'en-US',
    texts: languages.map((lang) => ({ lang, ...textsOf(id, lang) })),
    tag_ids: tagsOf(id),
    picture_key: key,
    ...standing,
    code: codeOf(id),
    created_at: new Date(created).toISOString(),
    updated_at: new Date(created + Math.floor(share(id, 75) * 60 * DAY)).toISOString(),
    praise_count: likes + users.length,
    install_count: Math.floor(likes * share(id, 76)) + users.length,
    view_count: likes * 20 + (hash(id, 77) % 500),
    users,
  };
}

function statusOf(
  id: number,
  { count, waiting }: Size,
): Pick<GeneratedPlugin, 'audit_status' | 'is_hidden' | 'has_change'> {
  if (id % Math.max(1, Math.floor(count / waiting)) === 0) {
    const isNew = hash(id, 80) % 2 === 0;
    return { audit_status: isNew ? 1 : 2, is_hidden: false, has_change: !isNew };
  }
  const kind = hash(id, 81) % 100;
  return { audit_status: kind === 0 ? 3 : 2, is_hidden: kind === 1, has_change: false };
}

/** One plugin in ten has the first tag; each further tag is rarer. */
function tagsOf(id: number): number[] {
  const main = 1 + Math.floor(TAG_COUNT * share(id, 82) ** 1.2);
  const other = 1 + (hash(id, 83) % TAG_COUNT);
  return share(id, 84) < 0.4 && other !== main ? [main, other] : [main];
}

const HOSTS = [null, null, 'pixso >=4.2', 'pixso *; whiteboard *', 'figma *'];

/** Half of the packages reach no network, and one in five is checked with warnings. */
function codeOf(id: number): GeneratedPlugin['code'] {
  const reach = hash(id, 88) % 10;
  return {
    permissions: reach === 0 ? ['currentuser'] : [],
    allowed_domains: reach < 5 ? [] : reach < 9 ? ['https://api.example.com'] : ['*'],
    host_range: HOSTS[hash(id, 89) % HOSTS.length] ?? null,
    has_warnings: hash(id, 90) % 5 === 0,
  };
}

function usersOf(id: number, { count }: Size): number[] {
  const users = share(id, 85) < 0.02 ? [BUSY_USER] : [];
  if (share(id, 86) < 0.5) users.push(FIRST_USER + (hash(id, 87) % Math.max(100, Math.floor(count / 10))));
  return users;
}
