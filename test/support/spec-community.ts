import { type SeenRequest, type StubUpstream, startStub, stubAnswer } from './stub-upstream.ts';

/**
 * A minimal community service (R 14.54), written by hand from docs/requirements.md and
 * not from our contract. Responses only have the fields named there; a list without a name there is a bare array.
 * An envelope has code and data; an error has a number and a message.
 */
export type SpecCommunity = {
  stub: StubUpstream;
  /** Likes and installs of the user. */
  liked(user: string): readonly string[];
  installed(user: string): readonly string[];
};

const COUNT = 30;
const PAGE = 20;
/** Keys are letters and digits of any length, or only digits. */
const KEYS: readonly (string | number)[] = Array.from({ length: COUNT }, (_, index) =>
  index % 3 === 0 ? 10_000 + index : `p${index}`,
);
const TAGS = [
  { id: 1, name: 'Icons', code: 'icons' },
  { id: 2, name: 'Charts', code: 'charts' },
];
const BANNERS = [{ id: 1, redirect_url: '/plugins/?tag_id=1' }, { id: 2 }];
const ACTIVITY = {
  view_num: 12_000,
  participate_num: 40,
  cover: '/cover.webp',
  tutorial_url: '/community/activity',
};
const QR_CODES = [{ name: 'feedback', img_url: '/qr.png' }];
const SLOTS = [{ id: 1, is_disabled: false, start_at: '2026-01-01 00:00:00', end_at: '2030-01-01 00:00:00' }];

type Told = { user: string; role: 0 | 1 | 2 };
type Answering = (seen: SeenRequest, caller: Told | undefined) => unknown;

/** The user of a bearer token: the claims of a JSON Web Token, or the literals `user` and `admin`. */
function callerOf({ headers }: SeenRequest): Told | undefined {
  const token = headers.authorization?.replace(/^Bearer /, '');
  if (token === undefined) return undefined;
  const [, payload] = token.split('.');
  if (payload === undefined) return { user: token, role: token === 'admin' ? 1 : 0 };
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return { user: String(claims.sub), role: claims.role ?? 0 };
}

const refused = (status: number, message: string) => stubAnswer(status, { code: status, message });
const done = (data: unknown = {}) => stubAnswer(200, { code: 200, data });

/** Starts it on its own port. */
export async function startSpecCommunity(t: Parameters<typeof startStub>[0]): Promise<SpecCommunity> {
  const stub = await startStub(t);
  const likes = new Map<string, Set<string>>();
  const installs = new Map<string, Set<string>>();
  const setOf = (sets: Map<string, Set<string>>, user = ''): Set<string> => {
    const known = sets.get(user) ?? new Set();
    sets.set(user, known);
    return known;
  };
  const itemOf = (plugin_key: string | number, caller: Told | undefined) => ({
    plugin_key,
    is_praise: setOf(likes, caller?.user).has(String(plugin_key)) ? 1 : -1,
  });
  const bodyOf = ({ body }: SeenRequest): Record<string, unknown> => JSON.parse(body.toString());

  const forAll: Record<string, Answering> = {
    'GET /api/cmt/plugin/list': ({ query }, caller) => {
      const from = Number(query.get('cursor') ?? 0);
      const next = from + PAGE;
      const plugin_list = KEYS.slice(from, next).map((key) => itemOf(key, caller));
      return done({ total: COUNT, next_cursor: next < COUNT ? String(next) : '', plugin_list });
    },
    'GET /api/cmt/plugin/tag/list': () => done({ tag_list: TAGS }),
    'GET /api/cmt/plugin': ({ query }, caller) => {
      const found = KEYS.find((key) => String(key) === query.get('plugin_key'));
      return found === undefined ? refused(404, 'no such plugin') : done(itemOf(found, caller));
    },
    'GET /api/cmt/plugin/recommendation/list': (_seen, caller) =>
      done(KEYS.slice(0, 4).map((key) => itemOf(key, caller))),
    'POST /api/cmt/plugin/view': () => done(),
    'GET /api/cmt/plugin-banner/all': () => done(BANNERS),
    'GET /api/cmt/activity/activity/info': () => done(ACTIVITY),
  };
  const forUsers: Record<string, Answering> = {
    'GET /api/cmt/manager/verify': (_seen, caller) => done({ role: caller?.role }),
    'POST /api/cmt/plugin/user': (seen, caller) => {
      setOf(installs, caller?.user).add(String(bodyOf(seen).plugin_key));
      return stubAnswer(200, { code: 0 });
    },
    'DELETE /api/cmt/plugin/user': (seen, caller) => {
      setOf(installs, caller?.user).delete(String(bodyOf(seen).plugin_key));
      return stubAnswer(200, { code: 0, data: null });
    },
    'POST /api/cmt/plugin/user/praise': (seen, caller) => {
      const { plugin_key, praise } = bodyOf(seen);
      const own = setOf(likes, caller?.user);
      if (plugin_key === 'p1') return stubAnswer(200, { code: 40_031, message: 'Likes are <i>closed</i>.' });
      if (praise === 1) own.add(String(plugin_key));
      else own.delete(String(plugin_key));
      return done();
    },
    'POST /api/cmt/plugin/user/new/silent': () => done(),
    'GET /api/cmt/plugin/audit': (_seen, caller) =>
      done({ total: 2, next_cursor: null, plugin_list: KEYS.slice(1, 3).map((key) => itemOf(key, caller)) }),
  };
  const forAdministrators: Record<string, Answering> = {
    'POST /api/cmt/plugin': () => done(),
    'PUT /api/cmt/plugin': () => done(),
    'DELETE /api/cmt/plugin': () => done(),
    'GET /api/cmt/plugin/audit/list': () => done(KEYS.slice(3, 5).map((plugin_key) => ({ plugin_key }))),
    'POST /api/cmt/plugin/audit/status': () => done(),
    'POST /api/cmt/plugin/recommendation/publish': () => done(),
    'PUT /api/cmt/plugin/silent_install': () => done(),
    'POST /api/cmt/manager/plugins/upload': () => done(),
    'POST /api/cmt/plugin/resource_state': () => done(),
    'PUT /api/cmt/plugin/resource_state/disable': () => done(),
    'GET /api/cmt/plugin/resource_state/list': () => done(SLOTS),
    'PUT /api/cmt/manager/plugin-banner': () => done(),
    'DELETE /api/cmt/manager/plugin-banner': () => done(),
    'GET /api/cmt/manager/qr-code/list': () => done(QR_CODES),
    'GET /api/cmt/manager/space-setting/iconfont': () => done(),
    'PUT /api/cmt/manager/space-setting/iconfont': () => done(),
    'GET /api/cmt/srv/config/pexels': () => done(),
    'POST /api/cmt/srv/config/pexels': () => done(),
  };
  const register = (
    answers: Record<string, Answering>,
    mayCall: (caller: Told | undefined) => unknown,
  ): void => {
    for (const [route, answer] of Object.entries(answers)) {
      stub.on(route, (seen) => {
        const caller = callerOf(seen);
        return mayCall(caller) ?? answer(seen, caller);
      });
    }
  };
  register(forAll, () => undefined);
  register(forUsers, (caller) => (caller ? undefined : refused(401, 'sign in')));
  register(forAdministrators, (caller) => {
    if (!caller) return refused(401, 'sign in');
    return caller.role === 0 ? refused(403, 'administrators only') : undefined;
  });
  stub.on('GET /api/cmt/manager/plugin/p4/download', () => stubAnswer(200, { manifest: {}, files: {} }));
  stub.otherwise(() => stubAnswer(404, '<h1>Not found</h1>', { 'content-type': 'text/html' }));
  return {
    stub,
    liked: (user) => [...setOf(likes, user)],
    installed: (user) => [...setOf(installs, user)],
  };
}
