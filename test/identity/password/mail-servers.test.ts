import { once } from 'node:events';
import { createServer } from 'node:net';
import t from 'tap';
import { createMailer, type MailServer } from '../../../server/identity/mail/mailer.ts';
import { mailTexts } from '../../../server/identity/mail/mails.ts';
import { LANGUAGES } from '../../../shared/languages.ts';
import { selfSigned } from '../../support/certificate.ts';
import { ADMIN, ask, testIdentity } from '../../support/identity.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { packOf } from '../../web/support/texts.ts';

const FROM = 'square@example.org';
const MAIL = { to: 'ann@example.org', subject: 'Hello', text: 'Text', html: '<p>Text</p>' };
/** Timeout in milliseconds for a server that never replies; others have none, as the machine may be busy. */
const TIMEOUT = 300;
const LONG = 60_000;
const mailer = (server: MailServer, ca?: string) => createMailer({ server, from: FROM, ca, timeout: LONG });
const keys = selfSigned();

t.test('delivers over TLS and STARTTLS to a server with a trusted certificate', async (t) => {
  for (const tls of ['implicit', 'starttls'] as const) {
    const { server, mail } = await startMailServer(t, { tls, ...keys });
    await mailer(server, keys.cert).send(MAIL);
    t.hasStrict(await mail(1), { from: FROM, to: [MAIL.to] });
    await t.rejects(mailer(server).send(MAIL), { code: /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|ESOCKET|ETLS)$/ });
  }
});

t.test('sends nothing in plain text when STARTTLS is required', async (t) => {
  const { server, received } = await startMailServer(t);
  const login = { user: 'square', password: 'a-secret-word' };
  await t.rejects(mailer({ ...server, ...login, tls: 'starttls' }).send(MAIL), { code: 'ETLS' });
  t.equal(received.length, 0);
});

t.test('authenticates at the mail server', async (t) => {
  const seen: unknown[] = [];
  const { server, mail } = await startMailServer(t, {
    tls: 'starttls',
    ...keys,
    authOptional: false,
    onAuth: ({ username, password }, _session, done) => {
      seen.push([username, password]);
      done(null, password === 'a-secret-word' ? { user: username } : {});
    },
  });
  await mailer({ ...server, user: 'square', password: 'a-secret-word' }, keys.cert).send(MAIL);
  await mail(1);
  t.strictSame(seen, [['square', 'a-secret-word']]);
  await t.rejects(mailer({ ...server, user: 'square', password: 'wrong' }, keys.cert).send(MAIL), {
    code: 'EAUTH',
  });
});

const refusing = await startMailServer(t, {
  onRcptTo: (_address, _session, done) => done(new Error('mailbox unknown')),
});
/** Accepts connections and never replies. */
const silent = createServer((socket) => {
  socket.on('error', () => undefined);
  t.teardown(() => void socket.destroy());
}).listen(0, '127.0.0.1');
await once(silent, 'listening');
t.teardown(() => silent.close());
const silentAddress = silent.address();
const silentPort = typeof silentAddress === 'object' && silentAddress ? silentAddress.port : 0;
const wrongTls = await startMailServer(t, { tls: 'starttls', ...keys });

const HOSTILE: Record<string, MailServer> = {
  'refuses the mailbox': refusing.server,
  'never answers': { host: '127.0.0.1', port: silentPort, tls: 'none' },
  'has a certificate that nobody vouches for': wrongTls.server,
  'is not there': { host: '127.0.0.1', port: 1, tls: 'none' },
};

for (const [what, server] of Object.entries(HOSTILE)) {
  t.test(`a mail server that ${what}: same response, the error is logged once`, async (t) => {
    const { app, logged } = await testIdentity(t, { mail: { server, from: FROM, timeout: TIMEOUT } });
    const body = { account: ADMIN.email, language: 'en-US' };
    t.strictSame((await ask(app, 'POST /user/page/password_reset', { body })).body, {
      code: 0,
      message: 'ok',
      data: {},
    });
    await app.close();
    const lines = logged()
      .split('\n')
      .filter((line) => line.includes('password reset mail could not be sent'));
    t.equal(lines.length, 1);
    t.match(lines[0], /"user_id":\d+/);
    t.notMatch(logged(), /#[\w-]{43}/);
    t.notMatch(logged(), 'password reset mail sent');
  });
}

t.test('mails use the name of the site, with the same placeholders in each language', async (t) => {
  for (const language of LANGUAGES) {
    const say = mailTexts({ language });
    t.match(say('reset_subject'), nameOf(language));
    t.match(say('reset_expiry', { minutes: 41 }), '41');
    t.notMatch(say('reset_text') + say('elsewhere_text'), /[{}]/);
  }
});

function nameOf(language: (typeof LANGUAGES)[number]): string {
  const { site } = packOf(language);
  const name = typeof site === 'object' ? site.name : undefined;
  if (typeof name !== 'string') throw new Error(`${language} does not name the site`);
  return name;
}
