import t from 'tap';
import { createIdentityClient } from '../../../server/community/auth/owner-rights.ts';
import { forwardMails } from '../../../server/community/notices/background.ts';
import { insertNotices } from '../../../server/community/notices/store.ts';
import { JWKS_PATH } from '../../../shared/user-service.ts';
import { testCommunity } from '../../support/community.ts';
import { exchange, ownAddress, signUp, testIdentity } from '../../support/identity.ts';
import { partsOf, startMailServer } from '../../support/mail-server.ts';

const DAY = 24 * 60 * 60 * 1000;

t.test('notices are mailed by the user service once, however often they are sent', async (t) => {
  const smtp = await startMailServer(t);
  const identity = await testIdentity(t, { mail: { server: smtp.server, from: 'square@example.org' } });
  const address = await identity.app.listen({ host: '127.0.0.1', port: 0 });
  const { db, pool } = await testCommunity(t, {
    jwksUrl: `${address}${JWKS_PATH}`,
    identityUrl: address,
    publishRights: 'last-seen',
  });
  const person = await signUp(identity.app, { email: 'ada@example.org' });
  await ownAddress(identity.db, person.email);
  const { userId } = await exchange(identity.app, person.code);
  const tell = (plugin_name: string, at = Date.now()) =>
    insertNotices(db, [{ userId, kind: 'approved', data: { plugin_name, version: '1.0.0' } }], new Date(at));
  const forward = (url = address) =>
    forwardMails({ db, ask: createIdentityClient(url, undefined), now: Date.now });
  const waiting = async () =>
    (await pool.query('select count(*) from notice where mail_key is not null')).rows[0].count;

  await tell('Grid');
  await t.rejects(forward('http://127.0.0.1:1'), { code: 'SERVICE_UNAVAILABLE' });
  t.equal(await waiting(), 1, 'nothing is lost while the user service is unavailable');
  const { rows } = await pool.query('select id, mail_key from notice');
  t.equal(await forward(), 1);
  t.equal(await waiting(), 0);
  await pool.query('update notice set mail_key = $2 where id = $1', [rows[0].id, rows[0].mail_key]);
  t.equal(await forward(), 1, 'as if the answer had been lost');
  await tell('Tiles');
  await tell('Too late', Date.now() - 4 * DAY);
  t.equal(await forward(), 2);
  t.equal(await forward(), 0);
  const bodies = [await smtp.mail(1), await smtp.mail(2)].map((mail) => partsOf(mail).text);
  t.match(bodies[0], '“Grid” 1.0.0 was approved.');
  t.match(bodies[1], '“Tiles” 1.0.0 was approved.');
  t.equal(smtp.received.length, 2);
  t.strictSame(smtp.received[0]?.to, ['ada@example.org']);
});
