import { randomUUID } from 'node:crypto';
import { type Browser, type Received, send } from '../../support/browser.ts';
import { athOf, begin, exchangeForm, proofKey, refreshForm, TOOL } from '../../support/tool.ts';
import { until } from '../../support/until.ts';
import { signedInAdmin } from '../admin.ts';
import type { Check, Target } from '../check.ts';
import { holds, same } from '../expect.ts';

const INSTALLED = '/api/cmt/plugin/user/list';
const LISTED = `${INSTALLED}?page=1&page_size=10`;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** A request of the tool itself. */
function post({ url }: Target, form: Record<string, string>, headers: Record<string, string> = {}) {
  return send(url, '/oauth/token', {
    method: 'POST',
    headers: { ...FORM, ...headers },
    body: new URLSearchParams({ client_id: TOOL.client_id, ...form }).toString(),
  });
}

/** Lets a tool in, in this browser. @returns the answer to its token request */
async function connect(
  { target, opened }: { target: Target; opened: Browser },
  { scope = 'openid plugins:read', headers = {} }: { scope?: string; headers?: Record<string, string> } = {},
): Promise<Record<string, unknown>> {
  const { url, verifier } = begin({ scope });
  const page = String((await opened.visit(url)).headers.location);
  holds(page.startsWith('/plugins/oauth?request='), 'the user is asked on a page of the site');
  const call = `/user/tool/request/${page.split('=').at(-1)}`;
  const body = JSON.stringify({ decision: 'allow' });
  const allowed = (await opened.call(call, { method: 'POST', body })).json();
  const { pathname } = new URL(String(allowed.data.continue_to));
  const back = await opened.visit(pathname, { site: 'same-origin' });
  const code = new URL(String(back.headers.location)).searchParams.get('code') ?? '';
  const answered = await post(target, exchangeForm({ code, verifier }), headers);
  same(answered.status, 200, 'the tool gets tokens');
  return answered.json();
}

const outcomeOf = (answer: Received) => [answer.status, answer.json().code];

/** What who has a token of a tool can do with it. */
export const toolChecks: readonly Check[] = [
  {
    id: 'tool-token',
    title:
      'a token of a tool works within its scopes, never beside a cookie, and no other token works as one',
    async run(context) {
      const { target, opened } = await signedInAdmin(context);
      const ask = (token: unknown, path = LISTED, headers: Record<string, string> = {}) =>
        send(target.url, path, { headers: { authorization: `Bearer ${token}`, ...headers } });
      const { access_token, id_token } = await connect({ target, opened });
      same(outcomeOf(await ask(access_token)), [200, 0], 'a call of its scope');
      const cookie = [...opened.cookies].map((pair) => pair.join('=')).join('; ');
      same(outcomeOf(await ask(access_token, LISTED, { cookie })), [403, 'CSRF_REFUSED'], 'beside a cookie');
      same(
        outcomeOf(await ask(access_token, LISTED, { origin: 'https://thief.example' })),
        [403, 'CSRF_REFUSED'],
        'from a page of a stranger',
      );
      same(
        outcomeOf(await ask(access_token, '/api/cmt/plugin/token/list')),
        [403, 'CSRF_REFUSED'],
        'a call that is not for tools',
      );
      same(outcomeOf(await ask(id_token)), [401, 'TOKEN_INVALID'], 'a token for another audience');
      const narrow = await connect({ target, opened }, { scope: 'plugins:install' });
      const refused = await ask(narrow.access_token);
      same(outcomeOf(refused), [403, 'FORBIDDEN'], 'a call of another scope');
      same(
        refused.headers['www-authenticate'],
        'Bearer error="insufficient_scope", scope="plugins:read"',
        'its challenge',
      );
    },
  },
  {
    id: 'tool-default-plugins',
    title: 'a tool installs the default plugins with the right to install, and not with another',
    async run(context) {
      const { target, opened } = await signedInAdmin(context);
      const install = async (scope: string) => {
        const { access_token } = await connect({ target, opened }, { scope });
        const headers = { authorization: `Bearer ${access_token}` };
        return outcomeOf(
          await send(target.url, '/api/cmt/plugin/user/new/silent', { method: 'POST', headers }),
        );
      };
      same(await install('plugins:install'), [200, 0], 'with it');
      same(await install('plugins:read'), [403, 'FORBIDDEN'], 'without it');
    },
  },
  {
    id: 'tool-disconnected',
    title: 'the access token of a tool that its user disconnects is refused within seconds',
    async run(context) {
      const { target, opened } = await signedInAdmin(context);
      const { access_token } = await connect({ target, opened });
      const ask = async () =>
        outcomeOf(await send(target.url, LISTED, { headers: { authorization: `Bearer ${access_token}` } }));
      same(await ask(), [200, 0], 'while it is connected');
      const body = JSON.stringify({ client_id: TOOL.client_id });
      same(
        (await opened.call('/user/tool/disconnect', { method: 'POST', body })).status,
        200,
        'the user ends it',
      );
      await until(async () => (await ask())[0] === 401);
      same(await ask(), [401, 'TOKEN_INVALID'], 'from then on');
    },
  },
  {
    id: 'tool-rotation',
    title: 'a refresh token of a tool that is used again later ends what the tool has',
    async run(context) {
      const { services, target, opened } = await signedInAdmin(context);
      const { refresh_token } = await connect({ target, opened });
      const renewed = await post(target, refreshForm(refresh_token));
      same(renewed.status, 200, 'the first use');
      services.wait(11_000);
      for (const token of [refresh_token, renewed.json().refresh_token]) {
        const { status, json } = await post(target, refreshForm(token));
        same([status, json().error], [400, 'invalid_grant'], 'the second use, and the latest token after it');
      }
    },
  },
  {
    id: 'tool-proof',
    title: 'a token that is bound to a key works with a new proof each time, and not as a plain bearer',
    async run(context) {
      const { target, opened } = await signedInAdmin(context);
      const { prove } = await proofKey();
      const htu = (path: string) => ({ htu: target.publicUrl + path });
      const dpop = await prove('', randomUUID(), htu('/oauth/token'));
      const { access_token, token_type } = await connect({ target, opened }, { headers: { dpop } });
      same(token_type, 'DPoP', 'the kind of token');
      const token = String(access_token);
      const proof = (more: Record<string, unknown> = {}) =>
        prove('', randomUUID(), { htm: 'GET', ath: athOf(token), ...htu(INSTALLED), ...more });
      const ask = async (headers: Record<string, string>) =>
        outcomeOf(
          await send(target.url, LISTED, { headers: { authorization: `DPoP ${token}`, ...headers } }),
        );
      const once = await proof();
      same(await ask({ dpop: once }), [200, 0], 'with a proof');
      same(await ask({ dpop: once }), [401, 'PROOF_INVALID'], 'with the same proof again');
      same(await ask({}), [401, 'PROOF_INVALID'], 'without a proof');
      same(await ask({ dpop: await proof({ htm: 'POST' }) }), [401, 'PROOF_INVALID'], 'of another method');
      same(
        await ask({ dpop: await proof({ htu: `https://thief.example${INSTALLED}` }) }),
        [401, 'PROOF_INVALID'],
        'of another site',
      );
      const bearer = { authorization: `Bearer ${token}`, dpop: await proof() };
      same(await ask(bearer), [401, 'TOKEN_INVALID'], 'as a plain bearer');
    },
  },
  {
    id: 'withdrawn-delivery',
    title: 'what was withdrawn is delivered to nobody, also not to the tool of who has installed it',
    async run(context) {
      const { services, target, opened } = await signedInAdmin(context);
      const plugin_key = 'withdrawn-delivery';
      await services.addPlugin(plugin_key);
      const { access_token } = await connect({ target, opened }, { scope: 'plugins:install' });
      const authorization = `Bearer ${access_token}`;
      const installed = await send(target.url, '/api/cmt/plugin/user', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ plugin_key }),
      });
      same(installed.status, 200, 'the tool installs it');
      const deliver = () =>
        send(target.url, `/api/cmt/plugin/user/package?plugin_key=${plugin_key}`, {
          headers: { authorization },
        });
      same((await deliver()).status, 200, 'it is delivered');
      const body = JSON.stringify({
        plugin_key,
        is_withdrawn: true,
        reason: 'malware',
        text: { 'en-US': 'Steals files' },
        must_stop: true,
      });
      const withdrawn = await opened.call('/api/cmt/manager/plugin/withdrawn', { method: 'PUT', body });
      same(withdrawn.status, 200, 'an administrator withdraws it');
      same(outcomeOf(await deliver()), [410, 'PLUGIN_WITHDRAWN'], 'it is delivered no more');
    },
  },
];
