import { randomUUID } from 'node:crypto';
import t from 'tap';
import { insertNoticeMails } from '../../server/identity/notice-mails/store.ts';
import type { NoticeKind } from '../../shared/routes/notice.ts';
import { startBoth } from '../support/gateway-with-identity.ts';
import { ownAddress } from '../support/identity.ts';
import { partsOf, startMailServer } from '../support/mail-server.ts';

const PREFERENCES = '/user/account/mails';

t.test('users unsubscribe by the link in a mail and in their account', async (t) => {
  const smtp = await startMailServer(t);
  const both = await startBoth(t, { mail: { server: smtp.server, from: 'square@example.org' } });
  const { gateway, db } = both;
  const ada = await both.newPerson({ email: 'ada@example.org' });
  await ownAddress(db, ada.email);
  const add = (kind: NoticeKind) => {
    const at = new Date(0);
    const data = { plugin_name: 'Grid', version: '1.0.0' };
    const mail = { key: randomUUID(), user_id: ada.userId, kind, data, created_at: new Date() };
    return insertNoticeMails(db, [mail], at);
  };
  await add('approved');
  const { headers, text } = partsOf(await smtp.mail(1));
  const [, address = ''] = /^List-Unsubscribe: <(.*)>$/m.exec(headers) ?? [];
  t.match(text, address, 'users have the same link');
  const { pathname, search } = new URL(address);
  t.equal(pathname, '/plugins/unsubscribe');
  t.notMatch(Buffer.from(search.split('.')[1] ?? '', 'base64url').toString(), /approved|example/);

  const oneClick = (query: string) =>
    fetch(`${gateway.url}${pathname}${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
  const forged = await oneClick(`${search.slice(0, -4)}AAAA`);
  t.equal(forged.status, 400);
  t.hasStrict(await forged.json(), { code: 'MAIL_LINK_INVALID' });
  t.equal((await oneClick('')).status, 400);
  const browser = await both.signedIn(ada.email, ada.password);
  const preferences = async () => (await browser.call(PREFERENCES)).json().data;
  t.strictSame(await preferences(), { is_mailing: true, off_list: [] }, 'nothing has changed yet');
  for (const _ of [1, 2]) t.equal((await oneClick(search)).status, 204);
  t.strictSame(await preferences(), { is_mailing: true, off_list: ['approved'] });

  await add('approved');
  await add('rejected');
  t.match(partsOf(await smtp.mail(2)).text, '“Grid” 1.0.0 was rejected.', 'other kinds go on');
  const change = async (body: object) => {
    const answer = await browser.call(PREFERENCES, { method: 'PUT', body: JSON.stringify(body) });
    return answer.json().data;
  };
  t.strictSame(await change({ kind: 'approved', is_on: true, language: 'es-ES' }), {
    is_mailing: true,
    off_list: [],
  });
  t.strictSame(await change({ kind: 'rejected', is_on: false }), {
    is_mailing: true,
    off_list: ['rejected'],
  });
  await add('rejected');
  await add('approved');
  t.match(partsOf(await smtp.mail(3)).text, '«Grid» 1.0.0 se ha aprobado.');
  t.equal(smtp.received.length, 3);
});
