import t from 'tap';
import type { SamlSettings } from '../../server/identity/federation/settings-schemas.ts';
import { selfSigned } from '../support/certificate.ts';
import {
  ask,
  CALLBACK,
  exchange,
  ownAddress,
  PUBLIC_URL,
  SOME_MAIL,
  signUp,
  testIdentity,
} from '../support/identity.ts';
import { assertion, IDP, posted, requestIdIn, response, type Said, signed } from './saml-idp.ts';
import { WRAPPINGS } from './support/wrapping.ts';

const KEYS = selfSigned('rsa');
const OTHER_KEYS = selfSigned('rsa');
const CALLBACK_URL = `${PUBLIC_URL}/user/sso/saml/callback`;
const SP = `${PUBLIC_URL}/user/sso/saml/metadata`;
const MINUTE = 60_000;
const ATTRIBUTES = {
  uid: ['ada'],
  mail: ['ada@example.org'],
  displayName: ['Ada Lovelace'],
  groups: ['staff', 'editors'],
};

const settings: SamlSettings = {
  method: 'saml',
  idp_entity_id: IDP,
  idp_sso_url: 'https://idp.example/sso',
  idp_certificates: [KEYS.cert],
  roles: { editors: 'admin' },
};

async function setUp(t: Parameters<typeof testIdentity>[0], change: Partial<SamlSettings> = {}) {
  const identity = await testIdentity(t, {
    methods: [{ method: 'local' }, { ...settings, ...change }],
    mail: SOME_MAIL,
  });
  const { app } = identity;
  const begin = async () => {
    const answer = await ask(app, 'POST /user/page/sso', {
      body: { source: 'saml', redirect_uri: CALLBACK },
    });
    const address = new URL(String(answer.body.data.go_to));
    const requestId = requestIdIn(address);
    const said: Said = { requestId, recipient: CALLBACK_URL, audience: SP, attributes: ATTRIBUTES };
    return { address, said, state: address.searchParams.get('RelayState') ?? '' };
  };
  const post = async (form: Record<string, string>) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/user/sso/saml/callback',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    });
    const { location } = answer.headers;
    return { status: answer.statusCode, to: location === undefined ? undefined : new URL(location) };
  };
  const back = (xml: string, state: string) => post({ SAMLResponse: posted(xml), RelayState: state });
  /** Begins a sign-in, has the provider say something, and answers where that leads. */
  const saying = async (speak: (said: Said) => string) => {
    const { said, state } = await begin();
    return (await back(speak(said), state)).to;
  };
  return { identity, app, begin, post, back, saying };
}

const honest = (said: Said): string => signed(response(said, assertion(said)), 'Response', KEYS);
const isRefused = (to: URL | undefined) =>
  to?.pathname === '/user/login' && to.searchParams.get('sso_error') === 'SSO_REFUSED';

/** For the tests that ask for nothing special. */
const plain = await setUp(t);

t.test('from the provider to an account, by either signature, and to the same one again', async (t) => {
  const { app, begin, saying } = await setUp(t);
  const { address } = await begin();
  t.equal(address.origin + address.pathname, 'https://idp.example/sso');
  const arrived = await saying(honest);
  t.equal(arrived?.origin, PUBLIC_URL);
  t.equal(arrived?.pathname, '/api/auth/callback');
  const first = await exchange(app, arrived?.searchParams.get('code') ?? '');
  const assertionSigned = await saying(byAssertion);
  const again = await exchange(app, assertionSigned?.searchParams.get('code') ?? '');
  t.equal(again.userId, first.userId);
  const { body } = await ask(app, 'GET /user/userinfo', { bearer: again.access });
  t.hasStrict(body.data, { user_name: 'ada', nick_name: 'Ada Lovelace', email: 'ada@example.org' });
  t.equal(JSON.parse(Buffer.from(again.access.split('.')[1] ?? '', 'base64url').toString()).role, 2);
});

const SUBJECT = 'ada-7';
const byAssertion = (said: Said): string => response(said, signed(assertion(said), 'Assertion', KEYS));

t.test('signature wrapping', async (t) => {
  const { identity, saying } = plain;
  for (const [title, forge] of WRAPPINGS) {
    t.ok(isRefused(await saying((said) => forge(byAssertion(said), SUBJECT))), title);
  }
  const known = await identity.db.selectFrom('external_identity').select('subject').execute();
  t.strictSame(known, [], 'nobody has come in');
});

const NOT_TAKEN: Record<string, (said: Said) => string> = {
  unsigned: (said) => response(said, assertion(said)),
  "somebody else's key": (said) => signed(response(said, assertion(said)), 'Response', OTHER_KEYS),
  'changed afterwards': (said) => honest(said).replace('ada-7', 'root'),
  'an attribute changed afterwards': (said) => honest(said).replace('staff', 'editors'),
  'another audience': (said) => honest({ ...said, audience: 'https://other.example' }),
  'another recipient': (said) => honest({ ...said, recipient: 'https://other.example/callback' }),
  'another issuer': (said) => honest({ ...said, issuer: 'https://evil.example' }),
  'another request': (said) => honest({ ...said, requestId: '_somebody-elses' }),
  expired: (said) => honest({ ...said, lifetime: -10 * MINUTE }),
  'a failure': (said) =>
    signed(
      response({ ...said, status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }, ''),
      'Response',
      KEYS,
    ),
  'a failure with an assertion': (said) =>
    honest({ ...said, status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }),
  'a name for this time only': (said) =>
    honest({ ...said, nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }),
  'nobody named': (said) => honest({ ...said, subject: '' }),
  'entities that grow': (said) =>
    `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${honest(said)}`,
  'an entity of a file': (said) =>
    `<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>${honest(said).replace('ada-7', '&a;')}`,
  'no XML': () => 'hello',
  nothing: () => '',
};

t.test('what is not taken', async (t) => {
  const { identity, saying } = plain;
  for (const [title, speak] of Object.entries(NOT_TAKEN)) t.ok(isRefused(await saying(speak)), title);
  t.strictSame(await identity.db.selectFrom('external_identity').select('subject').execute(), []);
});

t.test('the clocks may differ by two minutes, not by ten', async (t) => {
  const { saying } = plain;
  const off = (clock: number) => saying((said) => honest({ ...said, clock, lifetime: MINUTE }));
  t.ok((await off(2 * MINUTE))?.searchParams.get('code'), 'ahead');
  t.ok((await off(-2 * MINUTE))?.searchParams.get('code'), 'behind');
  t.ok(isRefused(await off(10 * MINUTE)), 'far ahead');
  t.ok(isRefused(await off(-10 * MINUTE)), 'far behind');
});

t.test('a comment does not cut a name in two', async (t) => {
  const { identity, saying } = plain;
  await saying((said) => honest({ ...said, subject: 'root<!-- -->.evil' }));
  const known = await identity.db.selectFrom('external_identity').select('subject').execute();
  t.notOk(known.some(({ subject }) => subject === 'root'));
});

t.test('a response is taken once, where it belongs', async (t) => {
  const { begin, back, post, identity } = plain;
  const [one, two] = [await begin(), await begin()];
  t.ok(isRefused((await back(honest(one.said), two.state)).to), "with the other tab's state");
  const { said, state } = await begin();
  const xml = honest(said);
  t.ok((await back(xml, state)).to?.searchParams.get('code'));
  t.equal((await back(xml, state)).to?.searchParams.get('login_error'), 'SSO_STATE_INVALID', 'replayed');
  const third = await begin();
  const reused = xml.replaceAll(said.requestId, third.said.requestId);
  t.ok(isRefused((await back(reused, third.state)).to), 'replayed for another request');
  const unasked = await post({ SAMLResponse: posted(honest(said)) });
  t.equal(unasked.to?.href, `${PUBLIC_URL}/api/auth/login`, 'a hand-over nobody asked for starts a sign-in');
  const elsewhere = await post({ SAMLResponse: posted(honest(said)), RelayState: 'https://evil.example/' });
  t.equal(elsewhere.to?.origin, PUBLIC_URL, 'RelayState is no address');
  t.notMatch(identity.logged(), posted(xml).slice(100, 200));
});

t.test('what must be signed can be asked for', async (t) => {
  const strict = await setUp(t, { signed: 'response' });
  t.ok(isRefused(await strict.saying(byAssertion)));
  t.ok((await strict.saying(honest))?.searchParams.get('code'));
  const both = await setUp(t, { signed: 'both' });
  t.ok(isRefused(await both.saying(honest)));
  const bothSigned = (said: Said) => signed(byAssertion(said), 'Response', KEYS);
  t.ok((await both.saying(bothSigned))?.searchParams.get('code'));
});

t.test('old and new certificate of the provider are taken side by side', async (t) => {
  const { saying } = await setUp(t, { idp_certificates: [OTHER_KEYS.cert, KEYS.cert] });
  t.ok((await saying(honest))?.searchParams.get('code'));
});

t.test('an address that has an account leads to its proof', async (t) => {
  const { app, identity, saying } = await setUp(t);
  const { email } = await signUp(app, { email: 'ada@example.org' });
  await ownAddress(identity.db, email);
  t.match((await saying(honest))?.searchParams.get('bind'), /^[\w-]{43}$/);
});

t.test('the metadata tells the provider what it must know', async (t) => {
  const { app } = plain;
  const answer = await app.inject('/user/sso/saml/metadata');
  t.equal(answer.statusCode, 200);
  t.match(answer.headers['content-type'], 'application/samlmetadata+xml');
  t.match(answer.body, `entityID="${SP}"`);
  t.match(answer.body, `Location="${CALLBACK_URL}"`);
  t.equal((await app.inject('/user/sso/local/metadata')).statusCode, 404);
});
