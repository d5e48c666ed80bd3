import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { isStartError } from '../../../server/database/errors.ts';
import { readMethodSettings, secretText, sourceOf } from '../../../server/identity/federation/settings.ts';

const LDAP = { method: 'ldap', url: 'ldaps://directory.example', base_dn: 'dc=example' };
const OIDC = { method: 'oidc', issuer: 'https://id.example', client_id: 'a', client_secret: 'b' };

t.test('without the setting there are local accounts only', async (t) => {
  t.strictSame(readMethodSettings(undefined), [{ method: 'local' }]);
});

t.test('blocks keep their order, and their ids are their sources', async (t) => {
  const blocks = [
    { method: 'local' },
    LDAP,
    { ...LDAP, source: 'second' },
    { ...OIDC, roles: { ops: 'admin' } },
  ];
  const settings = readMethodSettings(JSON.stringify(blocks));
  t.strictSame(settings, blocks);
  t.strictSame(settings.map(sourceOf), ['local', 'ldap', 'second', 'oidc']);
});

const broken: [title: string, text: string, message: RegExp][] = [
  ['no JSON', '[{', /^IDENTITY_METHODS is not valid JSON\.$/],
  ['no array', '{}', /must be a JSON array/],
  ['nothing in it', '[]', /must be a JSON array with one block/],
  ['no method', '[{}]', /block 1: "method" must be one of local, ldap, oidc, oauth2, saml, custom_sso/],
  ['an unknown method', '[{"method":"kerberos"}]', /block 1: "method" must be one of/],
  ['a missing field', '[{"method":"local"},{"method":"ldap"}]', /block 2 \(ldap\): /],
  ['an unknown field', JSON.stringify([{ ...LDAP, bind_pasword: 'x' }]), /block 1 \(ldap\): /],
  ['a wrong url', JSON.stringify([{ ...LDAP, url: 'https://x' }]), /block 1 \(ldap\): \/url /],
  ['a filter without a place', JSON.stringify([{ ...LDAP, filter: '(uid=x)' }]), /\/filter /],
  ['an unknown role', JSON.stringify([{ ...OIDC, roles: { ops: 'god' } }]), /\/roles\/ops /],
  ['a bad source', JSON.stringify([{ ...OIDC, source: '../x' }]), /\/source /],
  ['two of one name', JSON.stringify([LDAP, LDAP]), /two blocks called "ldap"/],
];
for (const [title, text, message] of broken) {
  t.test(`fails the start: ${title}`, async (t) => {
    try {
      readMethodSettings(text);
      t.fail('was taken');
    } catch (error) {
      t.ok(isStartError(error));
      t.match(error, { message });
    }
  });
}

t.test('a secret may be in a file', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'secret-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'secret'), 'hidden\n');
  t.equal(secretText({ file: join(folder, 'secret') }), 'hidden');
  t.equal(secretText('open'), 'open');
  t.throws(() => secretText({ file: join(folder, 'none') }), { message: /cannot be read/ });
});
