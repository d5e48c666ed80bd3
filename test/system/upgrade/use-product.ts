import { TOTP } from 'otpauth';
import type { Pool } from '../../../server/database/pool.ts';
import { jsonFile, packageText, pluginForm } from '../../community/publishing/publish/form-parts.ts';
import { jpeg } from '../../fixtures/media/files.ts';
import type { Received } from '../../support/browser.ts';
import type { Program } from '../../support/program.ts';
import { until } from '../../support/until.ts';
import { openLedger } from '../faults/support/ledger.ts';
import { ADMIN, openUser, signIn, signUp, type TestUser } from '../faults/support/user.ts';
import { startPublishers } from '../faults/support/writers.ts';

const SOMEBODY = { email: 'somebody@example.org', password: 'violet-umbrella-tram-9' };
const WAITING = 'Waiting for its review';

function dataOf(answer: Received): Record<string, unknown> {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return Object(answer.json().data);
}

async function call(
  user: TestUser,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  return dataOf(await user.browser.call(path, { method, ...(body && { body: JSON.stringify(body) }) }));
}

/** Uses each noun once, as administrators and users do, on a product that fills its catalogue with the demo. */
export async function useProduct(product: Program, pool: Pool): Promise<void> {
  const [admin, member] = [openUser(product.origin), openUser(product.origin)];
  await signIn(admin);
  await signUp(member, SOMEBODY);
  await signIn(member, SOMEBODY);
  await signIn(openUser(product.origin), { ...ADMIN, password: 'not-the-right-one' }).catch(() => undefined);
  const ledger = openLedger();
  const writers = startPublishers(admin, ledger, 1);
  await until(() => ledger.versions.length >= 3);
  await writers.stop();
  const [plugin_key] = [...ledger.plugins.keys()];
  await useAsMember(member, String(plugin_key));
  await useAsAdmin(admin, String(plugin_key));
  const demo = "select value from community.setting where name = 'demo_catalogue'";
  await until(async () => (await pool.query(demo)).rows[0]?.value === 'complete');
  const { user } = await call(member, 'GET', '/api/auth/session');
  const { user_id } = Object(user);
  await call(admin, 'PUT', '/user/member/role', { user_id, role: 2, password: ADMIN.password });
}

async function useAsMember(member: TestUser, plugin_key: string): Promise<void> {
  await call(member, 'POST', '/api/cmt/plugin/view', { plugin_key });
  await call(member, 'POST', '/api/cmt/plugin/user/praise', { plugin_key, praise: 1 });
  await call(member, 'POST', '/api/cmt/plugin/user', { plugin_key });
  await call(member, 'POST', '/api/cmt/plugin/report', {
    plugin_key,
    kind: 'broken',
    reason: 'It does nothing.',
  });
  const form = new FormData();
  form.append('picture', new File([new Uint8Array(await jpeg())], 'me.jpg'));
  const { avatar_url } = dataOf(await member.submit('POST', '/api/cmt/user/avatar', form));
  await call(member, 'PUT', '/api/auth/profile', { nick_name: 'Somebody else', avatar_url });
  const proof = { password: SOMEBODY.password };
  const { secret } = await call(member, 'POST', '/user/account/second_factor/begin', proof);
  const code = new TOTP({ secret: String(secret) }).generate();
  await call(member, 'POST', '/user/account/second_factor/confirm', { code });
}

async function useAsAdmin(admin: TestUser, plugin_key: string): Promise<void> {
  await call(admin, 'POST', '/api/cmt/plugin/token', { name: 'CI' });
  await call(admin, 'GET', '/api/helpcenter/article/search?keyword=plugin');
  await call(admin, 'PUT', '/api/cmt/plugin/silent_install', { plugin_key, is_silent: true });
  await call(admin, 'PUT', '/api/cmt/manager/space-setting/iconfont', {
    client_id: 'square',
    client_secret: 'a-secret-of-the-tests',
  });
  const qrCode = new FormData();
  qrCode.append('name', 'group');
  qrCode.append('picture', new File([new Uint8Array(await jpeg())], 'group.jpg'));
  dataOf(await admin.submit('PUT', '/api/cmt/manager/qr-code', qrCode));
  const cover = new File([new Uint8Array(await jpeg())], 'cover.jpg');
  const form = pluginForm({ code: jsonFile(packageText()), cover, name: WAITING });
  const published = dataOf(await admin.submit('POST', '/api/cmt/plugin', form));
  await call(admin, 'POST', '/api/cmt/plugin/user', { plugin_key: published.plugin_key });
  const { audit_list } = await call(admin, 'GET', '/api/cmt/plugin/audit/list?audit_status=1');
  const [waiting] = Array.isArray(audit_list) ? audit_list : [];
  const { submission_id } = Object(waiting);
  await call(admin, 'GET', `/api/cmt/manager/plugin/audit?submission_id=${submission_id}`);
}
