import { createHash } from 'node:crypto';
import { stubAnswer } from '../../support/stub-upstream.ts';
import { USER } from '../../support/user-service.ts';
import type { Check, Context } from '../check.ts';
import { INSTALL, install, isSignedIn, same, sessionCookies } from '../expect.ts';
import { begin, EXCHANGE } from './sign-in.ts';

/** Fetch Metadata Request Headers of embedded content. */
const EMBEDDED: readonly [dest: string, mode: string, site: string][] = [
  ['image', 'no-cors', 'same-site'],
  ['image', 'no-cors', 'cross-site'],
  ['image', 'no-cors', 'same-origin'],
  ['script', 'no-cors', 'same-site'],
  ['empty', 'cors', 'same-site'],
  ['iframe', 'navigate', 'same-site'],
  ['iframe', 'navigate', 'cross-site'],
  ['object', 'navigate', 'same-site'],
];

/** Bugs of other gateways in binding sign-ins to browsers. */
export const peerSignInChecks: readonly Check[] = [
  {
    id: 'RFC 9700 4.5',
    title: 'the code of one sign-in signs nobody in to another one',
    async run(context) {
      const issued = keepCodes(context);
      const [attacker, victim] = [await begin(context), await begin(context)];
      issued.set('theirs', attacker.login);
      const swapped = victim.address.replace('code=person-7', 'code=theirs');
      same((await victim.opened.visit(swapped)).status, 400, 'the callback with the code of another sign-in');
      same(await isSignedIn(victim.opened, context), false, 'signed in with the code of another sign-in');
      const again = await begin(context);
      issued.set('own', again.login);
      const own = again.address.replace('code=person-7', 'code=own');
      same((await again.opened.visit(own)).status, 303, 'the callback with its own code');
      same(await isSignedIn(again.opened, context), true, 'signed in with its own code');
    },
  },
  {
    id: 'login CSRF',
    title: 'embedded content starts no sign-in and ends no session; a link from any site starts one',
    async run(context) {
      context.upstream.on(`POST ${INSTALL}`, () => ({}));
      const start = `${context.dialect.loginPath}%2Fplugins%2F`;
      const opened = await context.signedIn();
      const held = sessionCookies(opened, context);
      const ask = (dest: string, mode: string, site: string) =>
        opened.visit(start, { site, headers: { 'sec-fetch-dest': dest, 'sec-fetch-mode': mode } });
      for (const [dest, mode, site] of EMBEDDED) {
        const answer = await ask(dest, mode, site);
        same(answer.status, 403, `${dest} ${site}`);
        same(answer.setCookies, [], `cookies of ${dest} ${site}`);
      }
      for (const site of ['none', 'same-origin', 'same-site', 'cross-site']) {
        same((await ask('document', 'navigate', site)).status, 302, `a link, ${site}`);
      }
      same((await ask('iframe', 'navigate', 'same-origin')).status, 302, 'a frame of this site');
      same(sessionCookies(opened, context), held, 'cookies of the session');
      same((await install(opened)).status, 200, 'a call with the session');
      same(context.identity.seen('POST /user/logout').length, 0, 'sign-outs at the user service');
    },
  },
];

/**
 * Makes the user service bind codes to their sign-in and refuse them for another one. A code without further parameters
 * is accepted, as by a service that does not bind codes.
 */
function keepCodes({ identity }: Context): Map<string, URLSearchParams> {
  const issued = new Map<string, URLSearchParams>();
  identity.on(EXCHANGE, ({ query }) => {
    const login = issued.get(query.get('code') ?? '');
    if (!login || !isOf(login, query)) return stubAnswer(400, { code: 400, message: 'code err' });
    const payload = Buffer.from(JSON.stringify({ sub: '7' })).toString('base64url');
    return { ...USER, access_token: `e30.${payload}.x`, refresh_token: 'refresh' };
  });
  return issued;
}

function isOf(login: URLSearchParams, shown: URLSearchParams): boolean {
  const [address, verifier] = [shown.get('redirect_uri'), shown.get('code_verifier')];
  if (address !== null && address !== login.get('redirect_uri')) return false;
  const made = verifier && createHash('sha256').update(verifier).digest('base64url');
  return verifier === null || made === login.get('code_challenge');
}
