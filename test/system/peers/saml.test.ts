import t from 'tap';
import type { SamlSettings } from '../../../server/identity/sign-in/federation/settings-schema.ts';
import { selfSigned } from '../../support/certificate.ts';
import {
  ask,
  CALLBACK,
  exchange,
  ownAddress,
  PUBLIC_URL,
  SOME_MAIL,
  signUp,
  testIdentity,
} from '../../support/identity.ts';
import { GATEWAY_TO_IDENTITY } from '../../support/service-keys.ts';
import { assertion, IDP, posted, requestIdIn, response, type Said, signed } from './saml-idp.ts';
import { NO_PYSAML2, pysaml2Idp, pysaml2Program } from './support/pysaml2-idp.ts';
import { type Asked, OTHER_SITE, PASSWORD, type SamlPeer, SUBJECT } from './support/saml-peer.ts';
import { samlifyIdp } from './support/samlify-idp.ts';
import { signedAssertionOnly, WRAPPINGS } from './support/wrapping.ts';

t.test('SAML', async (t) => {
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
      const fields: Said = { requestId, recipient: CALLBACK_URL, audience: SP, attributes: ATTRIBUTES };
      return { address, fields, state: address.searchParams.get('RelayState') ?? '' };
    };
    const post = async (form: Record<string, string>) => {
      const answer = await app.inject({
        method: 'POST',
        url: '/user/sso/saml/callback',
        headers: { authorization: GATEWAY_TO_IDENTITY, 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(form).toString(),
      });
      const { location } = answer.headers;
      return { status: answer.statusCode, to: location === undefined ? undefined : new URL(location) };
    };
    const back = (xml: string, state: string) => post({ SAMLResponse: posted(xml), RelayState: state });
    /** Starts a sign-in and sends a response of the provider. @returns the resulting address */
    const saying = async (speak: (fields: Said) => string) => {
      const { fields, state } = await begin();
      return (await back(speak(fields), state)).to;
    };
    return { identity, app, begin, post, back, saying };
  }

  const honest = (fields: Said): string => signed(response(fields, assertion(fields)), 'Response', KEYS);
  const isRefused = (to: URL | undefined) =>
    to?.pathname === '/user/login' && to.searchParams.get('sso_error') === 'SSO_REFUSED';

  /** For tests without special settings. */
  const plain = await setUp(t);

  t.test('signs in to a new account with either signature, and to the same one again', async (t) => {
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

  const ADA = 'ada-7';
  const byAssertion = (fields: Said): string =>
    response(fields, signed(assertion(fields), 'Assertion', KEYS));

  t.test('signature wrapping', async (t) => {
    const { identity, saying } = plain;
    for (const [title, forge] of WRAPPINGS) {
      t.ok(isRefused(await saying((fields) => forge(byAssertion(fields), ADA))), title);
    }
    const known = await identity.db.selectFrom('external_identity').select('subject').execute();
    t.strictSame(known, [], 'nobody has come in');
  });

  const NOT_TAKEN: Record<string, (fields: Said) => string> = {
    unsigned: (fields) => response(fields, assertion(fields)),
    "somebody else's key": (fields) => signed(response(fields, assertion(fields)), 'Response', OTHER_KEYS),
    'changed afterwards': (fields) => honest(fields).replace('ada-7', 'root'),
    'an attribute changed afterwards': (fields) => honest(fields).replace('staff', 'editors'),
    'another audience': (fields) => honest({ ...fields, audience: 'https://other.example' }),
    'another recipient': (fields) => honest({ ...fields, recipient: 'https://other.example/callback' }),
    'another issuer': (fields) => honest({ ...fields, issuer: 'https://evil.example' }),
    'another request': (fields) => honest({ ...fields, requestId: '_somebody-elses' }),
    expired: (fields) => honest({ ...fields, lifetime: -10 * MINUTE }),
    'a failure': (fields) =>
      signed(
        response({ ...fields, status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }, ''),
        'Response',
        KEYS,
      ),
    'a failure with an assertion': (fields) =>
      honest({ ...fields, status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }),
    'a name for this time only': (fields) =>
      honest({ ...fields, nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }),
    'nobody named': (fields) => honest({ ...fields, subject: '' }),
    'entities that grow': (fields) =>
      `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${honest(fields)}`,
    'an entity of a file': (fields) =>
      `<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>${honest(fields).replace('ada-7', '&a;')}`,
    'no XML': () => 'hello',
    nothing: () => '',
  };

  t.test('rejected responses', async (t) => {
    const { identity, saying } = plain;
    for (const [title, speak] of Object.entries(NOT_TAKEN)) t.ok(isRefused(await saying(speak)), title);
    t.strictSame(await identity.db.selectFrom('external_identity').select('subject').execute(), []);
  });

  t.test('accepts a clock skew of two minutes, but not of ten', async (t) => {
    const { saying } = plain;
    const off = (clock: number) => saying((fields) => honest({ ...fields, clock, lifetime: MINUTE }));
    t.ok((await off(2 * MINUTE))?.searchParams.get('code'), 'ahead');
    t.ok((await off(-2 * MINUTE))?.searchParams.get('code'), 'behind');
    t.ok(isRefused(await off(10 * MINUTE)), 'far ahead');
    t.ok(isRefused(await off(-10 * MINUTE)), 'far behind');
  });

  t.test('a comment does not truncate a name', async (t) => {
    const { identity, saying } = plain;
    await saying((fields) => honest({ ...fields, subject: 'root<!-- -->.evil' }));
    const known = await identity.db.selectFrom('external_identity').select('subject').execute();
    t.notOk(known.some(({ subject }) => subject === 'root'));
  });

  t.test('a response is accepted once, and only at its own recipient', async (t) => {
    const { begin, back, post, identity } = plain;
    const [one, two] = [await begin(), await begin()];
    t.ok(isRefused((await back(honest(one.fields), two.state)).to), "with the other tab's state");
    const { fields, state } = await begin();
    const xml = honest(fields);
    t.ok((await back(xml, state)).to?.searchParams.get('code'));
    t.equal((await back(xml, state)).to?.searchParams.get('login_error'), 'SSO_STATE_INVALID', 'replayed');
    const third = await begin();
    const reused = xml.replaceAll(fields.requestId, third.fields.requestId);
    t.ok(isRefused((await back(reused, third.state)).to), 'replayed for another request');
    const unasked = await post({ SAMLResponse: posted(honest(fields)) });
    t.equal(
      unasked.to?.href,
      `${PUBLIC_URL}/api/auth/login`,
      'a hand-over nobody asked for starts a sign-in',
    );
    const elsewhere = await post({
      SAMLResponse: posted(honest(fields)),
      RelayState: 'https://evil.example/',
    });
    t.equal(elsewhere.to?.origin, PUBLIC_URL, 'RelayState is no address');
    t.notMatch(identity.logged(), posted(xml).slice(100, 200));
  });

  t.test('the required signature can be configured', async (t) => {
    const strict = await setUp(t, { signed: 'response' });
    t.ok(isRefused(await strict.saying(byAssertion)));
    t.ok((await strict.saying(honest))?.searchParams.get('code'));
    const both = await setUp(t, { signed: 'both' });
    t.ok(isRefused(await both.saying(honest)));
    const bothSigned = (fields: Said) => signed(byAssertion(fields), 'Response', KEYS);
    t.ok((await both.saying(bothSigned))?.searchParams.get('code'));
  });

  t.test('old and new certificate of the provider are accepted at the same time', async (t) => {
    const { saying } = await setUp(t, { idp_certificates: [OTHER_KEYS.cert, KEYS.cert] });
    t.ok((await saying(honest))?.searchParams.get('code'));
  });

  t.test('the verified address of an account leads to the bind page', async (t) => {
    const { app, identity, saying } = await setUp(t);
    const { email } = await signUp(app, { email: 'ada@example.org' });
    await ownAddress(identity.db, email);
    t.match((await saying(honest))?.searchParams.get('bind'), /^[\w-]{43}$/);
  });

  t.test('the metadata contains the entity id, callback and certificate', async (t) => {
    const { app } = plain;
    const answer = await app.inject({
      url: '/user/sso/saml/metadata',
      headers: { authorization: GATEWAY_TO_IDENTITY },
    });
    t.equal(answer.statusCode, 200);
    t.match(answer.headers['content-type'], 'application/samlmetadata+xml');
    t.match(answer.body, `entityID="${SP}"`);
    t.match(answer.body, `Location="${CALLBACK_URL}"`);
    t.equal(
      (await app.inject({ url: '/user/sso/local/metadata', headers: { authorization: GATEWAY_TO_IDENTITY } }))
        .statusCode,
      404,
    );
  });
});

t.test('other SAML implementations', async (t) => {
  type Test = Parameters<typeof testIdentity>[0];

  const MINUTE = 60_000;

  /** An identity service and a provider, configured with each other's metadata. */
  async function setUp(t: Test, peer: SamlPeer, change: Partial<SamlSettings> = {}) {
    const settings: SamlSettings = { method: 'saml', ...peer.settings, ...change };
    const identity = await testIdentity(t, { methods: [settings] });
    const { app } = identity;
    await peer.trust(
      (await app.inject({ url: '/user/sso/saml/metadata', headers: { authorization: GATEWAY_TO_IDENTITY } }))
        .body,
    );
    const begin = async () => {
      const body = { source: 'saml', redirect_uri: CALLBACK };
      const answer = await ask(app, 'POST /user/page/sso', { body });
      const address = new URL(String(answer.body.data.go_to));
      return { address, state: address.searchParams.get('RelayState') ?? '' };
    };
    const back = async (xml: string, state: string) => {
      const answer = await app.inject({
        method: 'POST',
        url: '/user/sso/saml/callback',
        headers: { authorization: GATEWAY_TO_IDENTITY, 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ SAMLResponse: posted(xml), RelayState: state }).toString(),
      });
      return new URL(String(answer.headers.location));
    };
    /** A complete sign-in, in which the response of the provider can be changed. */
    const signIn = async (asked: Partial<Asked> = {}, change = (xml: string) => xml) => {
      const { address, state } = await begin();
      return back(change(await peer.answer(address, { password: PASSWORD, ...asked })), state);
    };
    return { identity, app, begin, back, signIn };
  }

  const isRefused = (to: URL) =>
    to.pathname === '/user/login' && to.searchParams.get('sso_error') === 'SSO_REFUSED';
  const withoutSignature = (xml: string) =>
    xml.replaceAll(/<([\w-]+:)?Signature[ >][\s\S]*?<\/\1Signature>/g, '');
  const doctype = (xml: string) =>
    `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>${xml.replace(/^<\?xml[^>]*\?>/, '')}`;

  const program = pysaml2Program();
  const PEERS: [name: string, make: (t: Test) => Promise<SamlPeer> | undefined][] = [
    ['samlify', async () => samlifyIdp()],
    ['pysaml2', (t) => (program === undefined ? undefined : pysaml2Idp(t, program))],
  ];

  for (const [name, make] of PEERS) {
    t.test(
      `saml: ${name}`,
      { skip: name === 'pysaml2' && program === undefined && NO_PYSAML2 },
      async (t) => {
        const peer = await make(t);
        if (!peer) return;
        const { identity, app, begin, back, signIn } = await setUp(t, peer, { signed: 'assertion' });

        t.test('the right password', async (t) => {
          const first = await exchange(app, (await signIn()).searchParams.get('code') ?? '');
          const again = await exchange(app, (await signIn()).searchParams.get('code') ?? '');
          t.equal(again.userId, first.userId);
          const { body } = await ask(app, 'GET /user/userinfo', { bearer: again.access });
          t.hasStrict(body.data, { user_name: 'ada', nick_name: 'Ada Lovelace', email: 'ada@example.org' });
        });

        t.test(
          'an unavailable provider: only the browser contacts it, so users are still redirected',
          async (t) => {
            const { address } = await begin();
            t.equal(address.origin + address.pathname, peer.settings.idp_sso_url);
          },
        );

        const refused: Record<string, () => Promise<URL>> = {
          'a wrong password': () => signIn({ password: 'wrong' }),
          'expired, by a clock ten minutes behind': () => signIn({ clock: -10 * MINUTE }),
          'not yet good, by a clock ten minutes ahead': () => signIn({ clock: 10 * MINUTE }),
          tampered: () => signIn({}, (xml) => xml.replaceAll(SUBJECT, 'root')),
          'an attribute tampered with': () => signIn({}, (xml) => xml.replaceAll('Lovelace', 'Root')),
          unsigned: () => signIn({}, withoutSignature),
          'a wrong audience': () => signIn({ audience: OTHER_SITE }),
          'entities that grow': () => signIn({}, doctype),
        };
        for (const [title, come] of Object.entries(refused)) {
          t.test(`refused: ${title}`, async (t) => t.ok(isRefused(await come())));
        }

        t.test('two minutes of clock skew', async (t) => {
          t.ok((await signIn({ clock: 2 * MINUTE })).searchParams.get('code'), 'ahead');
          t.ok((await signIn({ clock: -2 * MINUTE })).searchParams.get('code'), 'behind');
        });

        t.test('rejects replayed, swapped and late responses', async (t) => {
          const [one, two] = [await begin(), await begin()];
          const xml = await peer.answer(one.address, { password: PASSWORD });
          t.ok(isRefused(await back(xml, two.state)), "with the other tab's state");
          t.equal(
            (await back(xml, two.state)).searchParams.get('login_error'),
            'SSO_STATE_INVALID',
            'used up',
          );
          t.ok((await back(xml, one.state)).searchParams.get('code'));
          t.equal(
            (await back(xml, one.state)).searchParams.get('login_error'),
            'SSO_STATE_INVALID',
            'replayed',
          );
          const slow = await begin();
          const late = await peer.answer(slow.address, { password: PASSWORD });
          identity.clock.now += 11 * MINUTE;
          t.equal(
            (await back(late, slow.state)).searchParams.get('login_error'),
            'SSO_STATE_INVALID',
            'slow',
          );
          identity.clock.now -= 11 * MINUTE;
        });

        t.test('signature wrapping', async (t) => {
          const genuine = await signIn({}, (xml) => signedAssertionOnly(xml, SUBJECT));
          t.ok(genuine.searchParams.get('code'), 'before anything is forged');
          for (const [title, forge] of WRAPPINGS) {
            t.ok(isRefused(await signIn({}, (xml) => forge(xml, SUBJECT))), title);
          }
        });

        if (name === 'pysaml2') {
          t.test('an encrypted assertion is refused, and the log says why', async (t) => {
            t.ok(isRefused(await signIn({ isEncrypted: true })));
            t.match(identity.logged(), /decrypt/);
          });
        }

        t.test('nobody else has signed in', async (t) => {
          const known = await identity.db.selectFrom('external_identity').select('subject').execute();
          t.strictSame(known, [{ subject: SUBJECT }]);
          t.notMatch(identity.logged(), 'ada@example.org');
        });
      },
    );
  }
});
