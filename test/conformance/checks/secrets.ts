import { stubAnswer } from '../../support/stub-upstream.ts';
import type { Check, Context } from '../check.ts';
import { ARTICLE, holds, INSTALL, install, same } from '../expect.ts';

/** Secrets must not leave the gateway. */
export const secretChecks: readonly Check[] = [
  {
    id: 'R 9.14',
    title: 'no token and no code in responses, log and metrics',
    async run(context) {
      const { upstream, identity, people, dialect, target } = context;
      const code = 'person-7';
      upstream.on(`POST ${INSTALL}`, () => stubAnswer(401, { code: 'TOKEN_INVALID', message: 'no' }));
      upstream.on(`GET ${ARTICLE}`, () => ({ ok: true }));
      people.lifetime = 3;
      const opened = await context.signedIn();
      await opened.visit(`/plugins/?code=${code}`);
      await opened.visit(`/api/auth/callback?nonce=x&code=${code}`);
      await opened.visit('/plugins/');
      for (const path of [dialect.sessionPath, '/api/auth/userinfo', ARTICLE]) await opened.call(path);
      await install(opened);
      await upstream.stop();
      await opened.call(ARTICLE);
      await opened.call(dialect.logoutPath, { method: 'POST' });
      identity.on('GET /user/login/code/user', () => stubAnswer(500, { echo: code }));
      await opened.signIn({ code });
      await identity.stop();
      await opened.signIn({ code });
      const out = [...opened.received, target.logText?.() ?? '', (await target.figures?.()) ?? ''].join('\n');
      holds(people.secrets.length > 3, 'tokens were issued');
      for (const secret of [...people.secrets, `code=${code}`]) {
        for (const form of [secret, encodeURIComponent(secret), encoded(secret)]) {
          holds(!out.includes(form), `${secret.slice(0, 40)}… left the gateway`);
        }
      }
      holds(!out.includes('CANARY'), 'part of a token left the gateway');
    },
  },
  {
    id: 'R 9.15',
    title: 'responses about a session, and all that set a cookie, are no-store',
    async run(context) {
      const { upstream, people, dialect } = context;
      upstream.on(`GET ${ARTICLE}`, () =>
        stubAnswer(200, { code: 0 }, { 'cache-control': 'public, max-age=60' }),
      );
      people.lifetime = 3;
      const opened = await context.signedIn();
      for (const path of [dialect.sessionPath, '/api/auth/userinfo', ARTICLE]) {
        const answer = await opened.call(path);
        holds(/no-store/.test(answer.headers['cache-control'] ?? ''), `Cache-Control of ${path}`);
      }
      await opened.visit('/plugins/');
      await opened.call(dialect.logoutPath, { method: 'POST' });
      settersAreNotStored(opened.received);
      await seesRefreshOnly(context);
    },
  },
];

function encoded(secret: string): string {
  return Buffer.from(secret).toString('base64url').slice(0, 40);
}

/** A browser's received data alternates heads and bodies. */
export function settersAreNotStored(received: readonly string[]): void {
  const heads = received.filter((_text, index) => index % 2 === 0).map((head) => JSON.parse(head));
  const setters = heads.filter((head) => head['set-cookie'] !== undefined);
  holds(setters.length > 1, 'cookies were set');
  for (const head of setters) {
    holds(/no-store/.test(head['cache-control'] ?? ''), `Cache-Control beside ${head['set-cookie'][0]}`);
  }
}

/** A response that refreshes the session has its cookie and must not be cached either. */
async function seesRefreshOnly(context: Context): Promise<void> {
  const opened = await context.signedIn(9);
  const answer = await opened.call(ARTICLE);
  same(answer.setCookies.length > 0, true, 'the renewed session is set');
  holds(/no-store/.test(answer.headers['cache-control'] ?? ''), 'Cache-Control of a refreshing response');
}
