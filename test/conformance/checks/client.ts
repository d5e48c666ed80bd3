import type { Check } from '../check.ts';
import { holds, INSTALL, install, same } from '../expect.ts';

const ID = 'gate way';
const SECRET = 'a:b%c+ü-_.~/0123456789abcdef';
const EXCHANGE = 'GET /user/login/code/user';
const REFRESH = 'POST /user/refresh_token';

/** Form encoding as RFC 6749 appendix B writes it, by hand. */
const EXPECTED = `Basic ${btoa('gate+way:a%3Ab%25c%2B%C3%BC-_.%7E%2F0123456789abcdef')}`;

/** The gateway as a client of the user service. */
export const clientChecks: readonly Check[] = [
  {
    id: 'confidential-client',
    title:
      'code exchange and refresh authenticate the gateway by HTTP Basic, and nothing else reveals its secret',
    async run({ start, signedIn, upstream, identity, people }) {
      const target = await start({
        settings: { USER_SERVICE_CLIENT_ID: ID, USER_SERVICE_CLIENT_SECRET: SECRET },
      });
      upstream.on(`POST ${INSTALL}`, () => ({}));
      people.lifetime = 3;
      const opened = await signedIn(7, target);
      same(identity.seen(EXCHANGE).at(-1)?.headers.authorization, EXPECTED, 'the client of a code exchange');
      const issued = people.secrets.filter((secret) => secret.startsWith('CANARY-refresh')).at(-1);
      identity.on(REFRESH, () => ({ access_token: 'e30.e30.CANARY-renewed', refresh_token: 'CANARY-next' }));
      same((await install(opened)).status, 200, 'a call with an expired token');
      const refresh = identity.seen(REFRESH).at(-1);
      same(refresh?.headers.authorization, EXPECTED, 'the client of a refresh');
      const form = new URLSearchParams(refresh?.body.toString());
      same(form.get('grant_type'), 'refresh_token', 'grant_type (RFC 6749 section 6)');
      same(form.get('refresh_token'), issued, 'the refresh token in the form');
      const bearer = upstream.seen(`POST ${INSTALL}`).at(-1)?.headers.authorization;
      same(bearer, 'Bearer e30.e30.CANARY-renewed', 'the user’s token at the community service');
      const out = [...opened.received, target.logText?.() ?? '', (await target.figures?.()) ?? ''].join('\n');
      const addresses = identity.requests.map(({ target: address }) => address).join('\n');
      for (const secret of [SECRET, encodeURIComponent(SECRET), EXPECTED.slice('Basic '.length)]) {
        holds(!`${out}\n${addresses}`.includes(secret), 'the secret left the gateway');
      }
      people.lifetime = 900;
      const bare = await start({});
      await signedIn(7, bare);
      same(identity.seen(EXCHANGE).at(-1)?.headers.authorization, undefined, 'a client without a secret');
    },
  },
];
