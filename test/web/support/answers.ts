import type { FetchPageQuery, PageQuery, PageQueryResult } from '../../../shared/boot.ts';
import type { Operation } from '../../../shared/contract.ts';
import type { PluginCard, PluginDetail } from '../../../shared/entities/plugin.ts';

/** The time of every rendered test page. */
export const NOW = Date.UTC(2026, 4, 20, 12);

const TAGS = ['Icons', 'Colour', 'Text', 'Data', 'Images', 'Export'].map((name, index) => ({
  id: index + 1,
  name,
  code: name.toLowerCase(),
}));
const NAMES = ['Grid Maker', 'Colour Pairs', 'Lorem Writer', 'Chart Painter', 'Icon Drawer', 'Export Master'];
const KEY_LENGTH = 12;

/** The plugin at an index of the test catalogue; deterministic. */
export function pluginAt(index: number): PluginCard {
  const tag = TAGS[index % TAGS.length];
  return {
    plugin_key: `plugin${String(index).padStart(KEY_LENGTH - 'plugin'.length, '0')}`,
    is_praise: -1,
    is_installed: false,
    name: `${NAMES[index % NAMES.length]} ${index + 1}`,
    intro: 'Takes the tedious part of the work off your hands, one click at a time.',
    lang: 'en-US',
    icon: null,
    cover: null,
    tags: tag ? [tag] : [],
    publisher: { user_id: index, nick_name: `Publisher ${index}`, avatar_url: '' },
    plugin_mark: '',
    version: '1.2.0',
    praise_count: index * 37,
    install_count: index * 911,
    view_count: index * 4001,
    updated_at: new Date(NOW - index * 7_200_000).toISOString(),
  };
}

export function pluginDetailOf(card: PluginCard): PluginDetail {
  return {
    ...card,
    description: 'First paragraph.\n\nSecond paragraph.',
    description_lang: 'en-US',
    languages: ['en-US', 'zh-CN'],
    media: [],
    contact: 'help@example.com',
    support: 'https://example.com/help',
    copyright: { kind: 'author', holder: card.publisher.nick_name },
    allowed_domains: [],
    package_bytes: 48_213,
    audit_status: 2,
    created_at: new Date(NOW - 400 * 86_400_000).toISOString(),
  };
}

const list = Array.from({ length: 24 }, (_, index) => pluginAt(index));

const ANSWERS: Readonly<Partial<Record<Operation, (payload: PageQuery['payload']) => unknown>>> = {
  listPlugins: () => ({ total: list.length, total_estimated: false, next_cursor: null, plugin_list: list }),
  listTags: () => ({ tag_list: TAGS }),
  listRecommended: () => ({ plugin_list: list.slice(0, 6), page_count: 2 }),
  listTrending: () => ({ plugin_list: list.slice(4, 16) }),
  readTagPage: () => ({ intro: 'What the tag is for.', intro_lang: 'en-US', plugin_list: list.slice(2, 6) }),
  listSimilar: () => ({ plugin_list: list.slice(1, 5) }),
  listBanners: () => ({ banner_list: [] }),
  listVersions: () => ({ version_list: [] }),
  readSignInOptions: () => ({
    methods: [{ source: 'local', method: 'local', kind: 'password', label: null }],
    document_services: [],
    sign_up: true,
    sign_up_by_mail: false,
    password_min: 10,
    reset: 'administrator',
  }),
  readPlugin: ({ plugin_key }) => {
    const card = list.find((plugin) => plugin.plugin_key === plugin_key);
    return card && pluginDetailOf(card);
  },
};

/** Responses for a catalogue of 24 plugins. */
export const catalogue: FetchPageQuery = async ({ operation, payload }) => {
  const data = ANSWERS[operation]?.(payload);
  return data === undefined ? { ok: false, status: 404, code: 'PLUGIN_NOT_FOUND' } : { ok: true, data };
};

export type PageResponse = Pick<PageQuery, 'operation'> & PageQueryResult;

/** Responds to these operations only. */
export function answering(answers: readonly PageResponse[]): FetchPageQuery {
  return async ({ operation }) => answers.find((answer) => answer.operation === operation);
}

/** The catalogue with some responses replaced. */
export function changedCatalogue(change: (data: object, operation: Operation) => object): FetchPageQuery {
  return async (query) => {
    const answer = await catalogue(query);
    return answer?.ok ? { ok: true, data: change(Object(answer.data), query.operation) } : answer;
  };
}
