import { type Browser, type Received, send } from '../../support/browser.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';
import type { Check } from '../check.ts';
import { ARTICLE, holds, same, untouched } from '../expect.ts';

const HTML = 'text/html,application/xhtml+xml';
const LIST = '/api/cmt/plugin/list';
const VERIFY = '/api/cmt/manager/verify';
const ADMIN_INFO = '/api/helpcenter/user/admininfo';
const SITEMAP = '/api/cmt/plugin/sitemap';
/** Requested pages: several times the rate limit. */
const PAGES = 30;
const LIMIT = { RATE_LIMIT_FACTOR: '0.005' };

/** Rendering of anonymous pages, and tokens in responses of services. */
export const edgeChecks: readonly Check[] = [
  {
    id: 'pages-counted',
    title: 'unknown parameters create no pages, and rendering pages is rate-limited',
    async run({ start, upstream }) {
      const target = await start({ settings: LIMIT });
      const visit = (path: string): Promise<Received> =>
        send(target.url, path, { headers: { accept: HTML, 'sec-fetch-site': 'none' } });
      const visits = async (path: string): Promise<Received[]> => {
        const answers: Received[] = [];
        for (let index = 0; index < PAGES; index += 1) answers.push(await visit(`${path}${index}`));
        return answers;
      };
      const invented = await visits('/plugins/?invented=');
      same(
        invented.filter(({ status }) => status !== 200).map(({ status }) => status),
        [],
        'refusals of one page under invented parameters',
      );
      const searches = await visits('/plugins/?keyword=');
      const refused = searches.find(({ status }) => status === 429);
      if (refused === undefined) return holds(false, `${PAGES} searches were not counted`);
      holds(Number(refused.headers['retry-after']) > 0, 'Retry-After');
      holds(/^text\/html/.test(refused.headers['content-type'] ?? ''), 'an HTML page');
      same((await visit('/plugins/?invented=more')).status, 200, 'a cached page');
      const patient = await start({});
      upstream.on('GET /api/cmt/plugin/sitemap/ranges', () => ({ range_list: [0] }));
      for (let range = 1; range < 6; range += 1) {
        const answer = await send(patient.url, `/plugins/sitemap-${range}.xml`);
        same(answer.status, 404, `sitemap ${range}`);
      }
      const asked = upstream.requests.map(({ path }) => path).filter((path) => path.includes('sitemap'));
      same(asked.filter((path) => path === SITEMAP).length, 0, 'calls for sitemaps that are not there');
      same(new Set(asked).size, asked.length, 'lists that the index is made of, each asked for once');
    },
  },
  {
    id: 'sessions-counted',
    title: 'a session does not lift the limits: its reads and its rendered pages are counted by session',
    async run(context) {
      const { upstream } = context;
      const target = await context.start({ settings: LIMIT });
      upstream.on(`GET ${LIST}`, () => ({ total: 0 }));
      const [opened, other] = [await context.signedIn(1, target), await context.signedIn(2, target)];
      for (const [what, ask] of [
        ['reads', (browser: Browser) => browser.call(LIST)],
        ['pages', (browser: Browser) => browser.visit('/plugins/', { headers: { accept: HTML } })],
      ] as const) {
        const answers: Received[] = [];
        for (let index = 0; index < PAGES; index += 1) answers.push(await ask(opened));
        same(answers[0]?.status, 200, `the first of the ${what}`);
        const refused = answers.find(({ status }) => status === 429);
        if (refused === undefined) return holds(false, `${PAGES} ${what} of a session were not counted`);
        holds(Number(refused.headers['retry-after']) > 0, 'Retry-After');
        same((await ask(other)).status, 200, `${what} of another session`);
      }
    },
  },
  {
    id: 'nested-json',
    title: 'a body of deeply nested JSON is 400 with a code, anonymously too, and reaches no service',
    async run(context) {
      for (const [open, close] of [
        ['[', ']'],
        ['{"a":', '}'],
      ] as const) {
        const levels = Math.floor(60_000 / (open.length + close.length));
        const body = `{"a":${open.repeat(levels)}1${close.repeat(levels)}}`;
        const headers = { 'content-type': 'application/json' };
        const answer = await context.call('/api/auth/third-party/x', { method: 'POST', body, headers });
        same(answer.status, 400, `status of ${levels} levels of ${open}`);
        holds(/^[A-Z_]+$/.test(String(answer.json().code)), 'a stable code');
        holds(!answer.text.includes('    at '), 'the response has a stack');
      }
      untouched(context, 'a deeply nested body');
    },
  },
  {
    id: 'media-vary',
    title: 'public media vary by encoding alone, so that a cache has them once; pages vary by cookie',
    async run(context) {
      const media = `/api/cmt/media/${'1a'.repeat(16)}.webp`;
      const cache = 'public, max-age=31536000, immutable';
      context.upstream.on(`GET ${media}`, () =>
        stubAnswer(200, 'picture', { 'content-type': 'image/webp', 'cache-control': cache }),
      );
      const varied = ({ headers }: Received): string[] =>
        (headers.vary ?? '').split(',').flatMap((name) => name.trim().toLowerCase() || []);
      for (const browser of [context.browser(), await context.signedIn()]) {
        const answer = await browser.visit(media);
        same(answer.status, 200, 'status of a picture');
        same(answer.headers['cache-control'], cache, 'Cache-Control of a picture');
        same(
          varied(answer).filter((name) => name !== 'accept-encoding'),
          [],
          'Vary of a picture',
        );
      }
      const page = await send(context.target.url, '/plugins/', { headers: { accept: HTML } });
      const isShared = !/no-store|private/.test(page.headers['cache-control'] ?? '');
      holds(!isShared || varied(page).includes('cookie'), 'a page does not vary by cookie');
    },
  },
  {
    id: 'tokens-in-answers',
    title: 'tokens in fields, texts, headers or chunks of a service never leave the gateway',
    async run(context) {
      const { upstream, people } = context;
      const opened = await context.signedIn();
      const strange = { access_token: 'CANARY-strange', deep: [{ refresh_token: 'CANARY-strange' }] };
      for (const path of [VERIFY, ADMIN_INFO]) {
        upstream.on(`GET ${path}`, () => ({ role: 1, nick_name: 'Person', ...strange }));
        const answer = await opened.call(path);
        same(answer.status, 200, `status of ${path}`);
        holds(answer.text.includes('"nick_name":"Person"'), `${path} contains the user`);
        holds(!answer.text.includes('CANARY'), `${path} returns a token of the service`);
      }
      const [token = ''] = people.secrets;
      const escaped = `\\u${token.charCodeAt(0).toString(16).padStart(4, '0')}${token.slice(1)}`;
      for (const [status, type] of [
        [200, 'application/json'],
        [400, 'application/json'],
        [500, 'text/html'],
      ] as const) {
        upstream.on(`GET ${ARTICLE}`, ({ headers: { authorization } }, response) => {
          const head = { 'content-type': type, etag: `"${token}"`, 'x-echo': `${authorization}` };
          response.writeHead(status, head);
          response.write(`{"said":"${authorization?.slice(0, -5)}`);
          setTimeout(() => response.end(`${authorization?.slice(-5)}.","as":"${escaped}"}`), 20);
        });
        await opened.call(ARTICLE);
      }
      upstream.on(`GET ${ARTICLE}`, () => stubAnswer(302, {}, { location: `/plugins/?t=${token}` }));
      await opened.call(ARTICLE);
      const out = opened.received.join('\n').replaceAll(escaped, token);
      for (const secret of people.secrets)
        holds(!out.includes(secret), 'a token of the session left the gateway');
    },
  },
];
