import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { createMailer } from '../../../../server/identity/mail/mailer.ts';
import { GIVEN_UP_AFTER, markInterruptedMails, sendDueMail } from '../../../../server/identity/mail/queue.ts';
import { insertNoticeMails } from '../../../../server/identity/mail/store.ts';
import { insertExternal } from '../../../../server/identity/sign-in/federation/store.ts';
import { type Act, type Step, startHostileMailServer } from '../../../support/hostile-mail-server.ts';
import {
  ENCRYPTOR,
  exchange,
  logToMemory,
  ownAddress,
  SOME_MAIL,
  signUp,
  testIdentity,
} from '../../../support/identity.ts';
import { parseMail } from '../../../support/mail-server.ts';
import { until } from '../../../support/until.ts';

const MINUTE = 60_000;
const SENDER = fileURLToPath(new URL('sender.ts', import.meta.url));

const identity = await testIdentity(t, { mail: SOME_MAIL });
const { db, app, clock } = identity;
const smtp = await startHostileMailServer(t);
const { log, logged } = logToMemory();
const mailer = createMailer({ server: smtp.server, from: 'Square <square@example.org>', timeout: 3000 });
const publicUrl = 'https://square.example';
const sending = { db, now: () => clock.now, encryptor: ENCRYPTOR, publicUrl, mailer, log };
const send = () => sendDueMail(sending);

const person = await signUp(app, { email: 'ada@example.org' });
const ada = await exchange(app, person.code);
await ownAddress(db, person.email);

async function add(data: object = { plugin_name: 'Grid', version: '1.0.0' }): Promise<string> {
  const key = randomUUID();
  const created_at = new Date(clock.now);
  await insertNoticeMails(
    db,
    [{ key, user_id: ada.userId, kind: 'rejected', data, created_at }],
    new Date(clock.now),
  );
  return key;
}
const idOf = (key: string) => `<${key}@square.example>`;
const takenOf = (key: string) => smtp.taken.filter((raw) => raw.includes(`Message-ID: ${idOf(key)}`)).length;
const seenOf = (key: string) => smtp.seen.filter((id) => id === idOf(key)).length;
const stateOf = async (key: string) =>
  (await db.selectFrom('notice_mail').select('state').where('key', '=', key).executeTakeFirstOrThrow()).state;
const linesOf = (key: string) =>
  logged()
    .split('\n')
    .filter((line) => line.includes(key)).length;

t.beforeEach(async () => {
  await db.deleteFrom('notice_mail').execute();
  smtp.behave({});
});

/** Behavior of the server at a step, and the outcome for the mail. */
const FAILURES: readonly [Step, Act, 'again' | 'uncertain' | 'dropped'][] = [
  ['connect', 'drop', 'again'],
  ['connect', 'hang', 'again'],
  ['connect', '554 go away', 'again'],
  ['MAIL', '451 later', 'again'],
  ['MAIL', '421 closing', 'again'],
  ['MAIL', 'drop', 'again'],
  ['RCPT', '450 later', 'again'],
  ['RCPT', '550 nobody', 'dropped'],
  ['DATA', '451 later', 'again'],
  ['DATA', 'drop', 'again'],
  ['DATA', 'hang', 'again'],
  ['body', 'drop', 'uncertain'],
  ['dot', 'drop', 'uncertain'],
  ['dot', 'hang', 'uncertain'],
  ['dot', '421 closing', 'again'],
  ['dot', '451 later', 'again'],
  ['dot', '554 no', 'dropped'],
];
for (const [step, act, expected] of FAILURES) {
  t.test(`server behavior ${act} at ${step}: ${expected}`, async (t) => {
    const key = await add();
    smtp.behave({ [step]: act });
    const outcome = await send();
    t.equal(typeof outcome === 'object' ? 'again' : outcome, expected);
    if (typeof outcome === 'object') t.equal(outcome.retryAt.getTime(), clock.now + MINUTE);
    t.equal(await send(), undefined, 'not before its time');
    smtp.behave({});
    clock.now += 20 * MINUTE;
    t.equal(await send(), expected === 'again' ? 'sent' : undefined);
    t.equal(await stateOf(key), expected === 'again' ? 'sent' : expected);
    t.equal(takenOf(key), expected === 'again' ? 1 : 0);
    t.equal(seenOf(key), step === 'body' || step === 'dot' ? (expected === 'again' ? 2 : 1) : takenOf(key));
    t.equal(linesOf(key), expected === 'again' ? 0 : 1);
  });
}

t.test(
  'an undeliverable mail is retried less and less often, and dropped after days with one log line',
  async (t) => {
    const key = await add();
    smtp.behave({ connect: 'drop' });
    const start = clock.now;
    const waits: number[] = [];
    let outcome = await send();
    // A mail that is never given up must not keep the test from ending.
    for (; typeof outcome === 'object' && waits.length < 100; outcome = await send()) {
      waits.push((outcome.retryAt.getTime() - clock.now) / MINUTE);
      clock.now = outcome.retryAt.getTime();
    }
    t.equal(outcome, 'dropped');
    t.strictSame(waits.slice(0, 9), [1, 2, 4, 8, 16, 32, 64, 120, 120]);
    t.ok(clock.now - start > GIVEN_UP_AFTER);
    t.equal(await stateOf(key), 'dropped');
    t.equal(linesOf(key), 1);
  },
);

t.test('several instances share the work, and each mail is sent once', async (t) => {
  const keys = await Promise.all(Array.from({ length: 24 }, () => add()));
  const all = async (): Promise<void> => {
    while ((await send()) !== undefined);
  };
  await Promise.all([all(), all(), all(), all()]);
  for (const key of keys) t.equal(takenOf(key), 1);
});

t.test('an unverified address gets no mails, also if a directory has sent it', async (t) => {
  const { userId } = await exchange(app, (await signUp(app, { email: 'grace@example.org' })).code);
  const mailed = async () => {
    const key = randomUUID();
    const created_at = new Date(clock.now);
    const mail = { key, user_id: userId, kind: 'approved' as const, data: {}, created_at };
    await insertNoticeMails(db, [mail], created_at);
    await send();
    return takenOf(key);
  };
  t.equal(await mailed(), 0);
  const at = new Date(clock.now);
  const given = { source: 'ldap', subject: 'grace', userId, at, name: 'Grace' };
  await insertExternal(db, { ...given, email: 'grace@example.org' });
  t.equal(await mailed(), 0, 'a directory may let users choose it');
  await ownAddress(db, 'grace@example.org');
  t.equal(await mailed(), 1);
});

t.test('each key is sent as one mail', async (t) => {
  const mail = {
    ...{ key: randomUUID(), user_id: ada.userId, kind: 'approved' as const },
    ...{ data: {}, created_at: new Date(clock.now) },
  };
  const at = new Date(clock.now);
  await Promise.all([1, 2, 3].map(() => insertNoticeMails(db, [mail, mail], at)));
  await insertNoticeMails(db, [{ ...mail, key: randomUUID(), user_id: 4_711_000 }], at);
  t.equal(await send(), 'sent');
  t.equal(await send(), undefined);
  await insertNoticeMails(db, [mail], at);
  t.equal(await send(), undefined, 'also when it was sent');
});

t.test('user input becomes text, never a header', async (t) => {
  const key = await add({
    plugin_name: 'Grid\r\nBcc: all@example.org\r\n\r\n<script>x</script>',
    version: '1.0.0',
    plugin_key: 'grid-keeper-1',
    reason: '<img src=x>\r\n.\r\nQUIT\r\nMAIL FROM:<x@example.org>',
  });
  t.equal(await send(), 'sent');
  const raw = smtp.taken.at(-1)?.replaceAll('\n', '\r\n') ?? '';
  const { headers, text, html } = await parseMail(raw);
  t.match(headers, `Message-ID: ${idOf(key)}`);
  t.notMatch(headers, /^Bcc:/im);
  t.match(headers, /^To: ada@example\.org$/m);
  t.match(headers, /^List-Unsubscribe: <https:\/\/square\.example\/plugins\/unsubscribe\?token=[\w.%-]+>$/m);
  t.match(headers, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
  t.match(text, 'https://square.example/plugins/publish-plugin/single?plugin_key=grid-keeper-1');
  t.match(html, '&lt;img src=x&gt;');
  t.notMatch(html, /<script>|<img/);
});

t.test(
  'users without a verified address, disabled users and users about to be deleted get no mail',
  async (t) => {
    const account = { email_verified_at: new Date(), disabled_at: null, delete_at: null };
    for (const change of [
      { email_verified_at: null },
      { disabled_at: new Date() },
      { delete_at: new Date(clock.now + 20 * MINUTE) },
    ]) {
      await db.updateTable('account').set(change).where('user_id', '=', ada.userId).execute();
      const key = await add();
      t.equal(await send(), 'dropped');
      t.equal(seenOf(key), 0);
      await db.updateTable('account').set(account).where('user_id', '=', ada.userId).execute();
    }
  },
);

t.test('mails are in the language of the recipient', async (t) => {
  await db.updateTable('account').set({ language: 'ru-RU' }).where('user_id', '=', ada.userId).execute();
  await add({ plugin_name: 'Сетка', version: '2.0.0' });
  t.equal(await send(), 'sent');
  const raw = smtp.taken.at(-1)?.replaceAll('\n', '\r\n') ?? '';
  t.match((await parseMail(raw)).text, 'Плагин «Сетка» 2.0.0 отклонён.');
  await db.updateTable('account').set({ language: null }).where('user_id', '=', ada.userId).execute();
});

/** A sender in its own process, with the real clock. */
function startSender(t: { teardown(end: () => unknown): unknown }): ChildProcess {
  const port = String(smtp.server.port);
  const child = spawn(process.execPath, [SENDER, identity.databaseUrl, port], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}
async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

for (const [step, isSentLater] of [
  ['connect', true],
  ['MAIL', true],
  ['RCPT', true],
  ['DATA', true],
  ['body', false],
  ['dot', false],
] as const) {
  t.test(
    `a program killed at ${step} ${isSentLater ? 'loses nothing' : 'sends nothing twice'}`,
    async (t) => {
      clock.now = Date.now() - 1000;
      const key = await add();
      smtp.behave({ [step]: 'hang' });
      const reached = smtp.reached(step);
      const first = startSender(t);
      await reached;
      await kill(first);
      t.equal(await stateOf(key), isSentLater ? 'waiting' : 'handed_over');
      smtp.behave({});
      const second = startSender(t);
      const wanted = isSentLater ? 'sent' : 'uncertain';
      await until(async () => (await stateOf(key)) === wanted);
      await add();
      const all = async () =>
        (await db.selectFrom('notice_mail').select('state').execute()).map((row) => row.state);
      await until(async () => !(await all()).includes('waiting'));
      await kill(second);
      t.equal(await stateOf(key), wanted);
      t.equal(takenOf(key), isSentLater ? 1 : 0);
      t.equal(seenOf(key), 1);
    },
  );
}

t.test(
  'processes killed repeatedly while two are running: each mail is seen at most once, and none remains',
  async (t) => {
    clock.now = Date.now() - 1000;
    const keys: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      const step = (['connect', 'RCPT', 'DATA', 'body', 'dot', 'MAIL'] as const)[round] ?? 'dot';
      keys.push(...(await Promise.all(Array.from({ length: 8 }, () => add()))));
      const reached = smtp.reached(step);
      const pair = [startSender(t), startSender(t)];
      await reached;
      await Promise.all(pair.map(kill));
    }
    const last = startSender(t);
    const left = async () =>
      db.selectFrom('notice_mail').select('key').where('state', 'in', ['waiting', 'handed_over']).execute();
    await until(async () => (await left()).length === 0);
    await kill(last);
    const states = await Promise.all(keys.map(stateOf));
    for (const [index, key] of keys.entries()) {
      t.ok(seenOf(key) <= 1, 'never twice');
      if (states[index] === 'sent') t.equal(takenOf(key), 1);
      else t.equal(states[index], 'uncertain');
    }
    t.ok(states.filter((state) => state === 'sent').length >= 36, 'nearly all');
    await markInterruptedMails(sending);
  },
);
