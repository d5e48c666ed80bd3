import { generateKeyPair } from 'jose';
import t from 'tap';
import { signToken, testCommunity } from '../../support/community.ts';
import { ask } from '../ask.ts';

const community = await testCommunity(t);
const { issuer, url } = community;
const foreign = await generateKeyPair('EdDSA');
const past = Math.floor(Date.now() / 1000) - 1;
const unsigned = `${btoa('{"alg":"none"}')}.${btoa('{"sub":"1","role":1}')}.`.replaceAll('=', '');

const refused: [title: string, authorization: string][] = [
  ['signed by another', `Bearer ${await signToken(foreign.privateKey, { role: 1 })}`],
  ['expired', `Bearer ${await issuer.sign({ exp: past })}`],
  ['of another issuer', `Bearer ${await issuer.sign({ iss: 'somebody' })}`],
  ['for another audience', `Bearer ${await issuer.sign({ aud: 'another-product' })}`],
  ['without an expiry', `Bearer ${await issuer.sign({ exp: undefined })}`],
  ['without a subject', `Bearer ${await issuer.sign({ sub: undefined })}`],
  ['of a subject that is no number', `Bearer ${await issuer.sign({ sub: 'ada' })}`],
  ['of a role that does not exist', `Bearer ${await issuer.sign({ role: 3 })}`],
  ['altered', `Bearer ${(await issuer.sign()).replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))}`],
  ['unsigned', `Bearer ${unsigned}`],
  ['no token at all', 'Bearer nonsense'],
  ['empty', 'Bearer'],
  ['of another scheme', 'Basic YTpi'],
];

for (const [title, authorization] of refused) {
  t.test(`a token that is ${title} is refused, on open routes too`, async (t) => {
    for (const path of ['manager/verify', 'plugin/list']) {
      const answer = await ask(url, path, { headers: { authorization } });
      t.equal(answer.status, 401);
      t.strictSame(answer.json, { code: 'TOKEN_INVALID', message: 'The token is not valid.' });
      t.equal(answer.headers.get('www-authenticate'), 'Bearer error="invalid_token"');
    }
  });
}

t.test('the scheme is case-insensitive', async (t) => {
  const authorization = `bearer ${await issuer.sign()}`;
  t.equal((await ask(url, 'manager/verify', { headers: { authorization } })).status, 200);
});

t.test('unavailable keys are 503, not an invalid token', async (t) => {
  const lonely = await testCommunity(t, { jwksUrl: 'http://127.0.0.1:9/jwks' });
  const answer = await ask(lonely.url, 'plugin/list', { headers: await lonely.bearer(7) });
  t.equal(answer.status, 503);
  t.hasStrict(answer.json, { code: 'SERVICE_UNAVAILABLE' });
  t.equal((await ask(lonely.url, 'plugin/list')).status, 200);
});
