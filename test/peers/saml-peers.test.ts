import t from 'tap';
import type { SamlSettings } from '../../server/identity/federation/settings.ts';
import { ask, CALLBACK, exchange, testIdentity } from '../support/identity.ts';
import { posted } from './saml-idp.ts';
import { NO_PYSAML2, pysaml2Idp, pysaml2Program } from './support/pysaml2-idp.ts';
import { type Asked, OTHER_SITE, PASSWORD, type SamlPeer, SUBJECT } from './support/saml-peer.ts';
import { samlifyIdp } from './support/samlify-idp.ts';
import { signedAssertionOnly, WRAPPINGS } from './support/wrapping.ts';

type Test = Parameters<typeof testIdentity>[0];

const MINUTE = 60_000;

/** An identity service and a provider, configured with each other's metadata. */
async function setUp(t: Test, peer: SamlPeer, change: Partial<SamlSettings> = {}) {
  const settings: SamlSettings = { method: 'saml', ...peer.settings, ...change };
  const identity = await testIdentity(t, { methods: [settings] });
  const { app } = identity;
  await peer.trust((await app.inject('/user/sso/saml/metadata')).body);
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
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
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
  t.test(`saml: ${name}`, { skip: name === 'pysaml2' && program === undefined && NO_PYSAML2 }, async (t) => {
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
      t.equal((await back(xml, two.state)).searchParams.get('login_error'), 'SSO_STATE_INVALID', 'used up');
      t.ok((await back(xml, one.state)).searchParams.get('code'));
      t.equal((await back(xml, one.state)).searchParams.get('login_error'), 'SSO_STATE_INVALID', 'replayed');
      const slow = await begin();
      const late = await peer.answer(slow.address, { password: PASSWORD });
      identity.clock.now += 11 * MINUTE;
      t.equal((await back(late, slow.state)).searchParams.get('login_error'), 'SSO_STATE_INVALID', 'slow');
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
  });
}
