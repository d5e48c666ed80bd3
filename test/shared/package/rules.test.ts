import t from 'tap';
import { declaredBy, hostsIn, readDomain } from '../../../shared/package/domains.ts';
import { resolvePath } from '../../../shared/package/files/package-files.ts';
import { secretsIn } from '../../../shared/package/files/secrets.ts';
import { looksLikeJson } from '../../../shared/package/json/decode.ts';
import { isFilled, lengthOf, missingFindings, textFindings } from '../../../shared/package/listing-rules.ts';
import { releasePackage } from '../../../shared/package/package.ts';
import { compareVersions, isVersion } from '../../../shared/package/version.ts';
import { bytesOf } from '../../fixtures/packages/base.ts';

t.test('versions follow Semantic Versioning', async (t) => {
  for (const good of ['0.0.0', '1.2.3', '1.0.0-rc.1', '1.0.0+build.5', '10.20.30-a-b.7+x'])
    t.ok(isVersion(good));
  for (const bad of [
    '',
    '1',
    '1.2',
    'v1.2.3',
    '=1.2.3',
    ' 1.2.3',
    '1.2.3 ',
    '01.2.3',
    '1.2.3-',
    '1.2.3-01',
  ]) {
    t.notOk(isVersion(bad), bad);
  }
  t.notOk(isVersion(`1.0.0-${'a'.repeat(60)}`), 'over 64 characters');
  t.ok(compareVersions('1.10.0', '1.9.9') > 0);
  t.ok(compareVersions('1.0.0-rc.1', '1.0.0') < 0);
  t.equal(compareVersions('1.0.0+a', '1.0.0+b'), 0);
  t.throws(() => compareVersions('one', '1.0.0'), { name: 'TypeError' });
});

t.test('the length of texts is counted in code points', async (t) => {
  t.equal(lengthOf('😀é字'), 3);
  t.strictSame(textFindings({ name: { 'en-US': '😀'.repeat(64) }, contact: 'c'.repeat(120) }), []);
  const over = textFindings({
    name: { 'en-US': 'a', 'ja-JP': '字'.repeat(65) },
    version_note: { 'ru-RU': 'я'.repeat(2001) },
    plugin_mark: 'm'.repeat(65),
  });
  t.hasStrict(over, [
    { code: 'TEXT_TOO_LONG', pointer: '/name/ja-JP', params: { limit: '64' }, message: 'Over 64 words' },
    { code: 'TEXT_TOO_LONG', pointer: '/version_note/ru-RU', params: { limit: '2000' } },
    { code: 'TEXT_TOO_LONG', pointer: '/plugin_mark', params: { limit: '64' } },
  ]);
  t.equal(over.length, 3);
});

t.test('required texts must not be blank in all languages', async (t) => {
  t.ok(isFilled({ 'en-US': ' ', 'es-ES': 'Paleta' }));
  t.notOk(isFilled({}));
  t.notOk(isFilled(' \n'));
  t.notOk(isFilled(undefined));
  const places = (bringsVersion: boolean, kind: 'author' | 'custom' = 'author', holder = ' ') =>
    missingFindings(
      {
        name: { 'zh-CN': '调色板' },
        intro: { 'en-US': ' ' },
        contact: '',
        copyright: { kind, holder },
      },
      { bringsVersion },
    ).map(({ code, pointer }) => `${code} ${pointer}`);
  const said = (...names: string[]) => names.map((name) => `FIELD_REQUIRED /${name}`);
  t.strictSame(places(true), said('intro', 'description', 'contact', 'version_note'));
  t.strictSame(places(false), said('intro', 'description', 'contact'), 'a version that stays needs no note');
  t.strictSame(places(false, 'custom'), said('intro', 'description', 'contact', 'copyright_holder'));
  t.strictSame(places(false, 'custom', 'Ada'), said('intro', 'description', 'contact'));
});

t.test('paths are resolved inside the package', async (t) => {
  t.strictSame(resolvePath('././dist/main.js'), { name: 'dist/main.js' });
  t.strictSame(resolvePath('名前.js'), { name: '名前.js' });
  for (const path of [
    'a/./b',
    'a/',
    '',
    '.',
    'a//b',
    'nul',
    'a.',
    'a ',
    'a\u0000b',
    'a*b',
    'x'.repeat(201),
  ]) {
    t.strictSame(resolvePath(path), { code: 'FILE_PATH_INVALID' }, JSON.stringify(path));
  }
});

t.test('domain patterns are parsed', async (t) => {
  t.strictSame(readDomain('https://*.A.example:8080/v1/'), {
    scheme: 'https',
    isWildcard: true,
    host: 'a.example',
    port: 8080,
    path: '/v1/',
  });
  for (const good of [
    'a.example',
    '*.a.example',
    'ws://a.example',
    '10.0.0.1',
    'http://[fe80::1]:80',
    'пример.рф',
    'a_b.example',
  ]) {
    t.type(readDomain(good), 'object', good);
  }
  for (const bad of [
    '**.a.example',
    '*',
    '*.',
    'a..example',
    '-a.example',
    '256.1.1.1',
    '*.10.0.0.1',
    'a.example:',
    '[::1',
    'a.example#x',
    'x'.repeat(300),
  ]) {
    t.equal(readDomain(bad), 'invalid', bad);
  }
  t.equal(readDomain('data://a.example'), 'scheme');
});

t.test('hosts are found and compared with the declared domains', async (t) => {
  const text =
    'fetch("HTTPS://API.one.example:80/x"); <img src=//cdn.two.example> http://www.w3.org/ https://$name.b https://localhost.';
  t.strictSame(
    hostsIn(text).map(({ host }) => host),
    ['api.one.example', 'cdn.two.example'],
  );
  const isDeclared = declaredBy(['none', '*.one.example', 'https://two.example/path']);
  t.ok(isDeclared('api.one.example'));
  t.ok(isDeclared('two.example'));
  t.notOk(isDeclared('one.example'), 'a wildcard is what is below');
  t.notOk(isDeclared('evilone.example'));
  t.notOk(isDeclared('a.two.example'));
  t.ok(declaredBy(['*'])('any.example'));
});

t.test('a string that only looks like a token is not an error', async (t) => {
  const body = 'Qw7Zx9Tb4Ym2Kd8Rf5Hc3Lp6Qw7Zx9';
  t.hasStrict(secretsIn(`const a = "ghp_${body}26nNj1"`), [{ kind: 'GitHub token', isReal: true }]);
  t.hasStrict(secretsIn(`const a = "ghp_${body}26nNj2"`), [{ kind: 'GitHub token', isReal: false }]);
  t.hasStrict(secretsIn(`apiKey: "${body}"`), [{ kind: 'key or password', isReal: false }]);
  t.strictSame(secretsIn(`ghp_${'a'.repeat(36)} sk_live_${'x'.repeat(24)} apiKey: "${'1'.repeat(30)}"`), []);
});

t.test('a released package has no keys for developers', async (t) => {
  const manifest = {
    name: 'P',
    main: 'm.js',
    build: 'npm run x',
    enableProposedApi: true,
    enablePrivatePluginApi: true,
  };
  const networkAccess = { allowedDomains: ['none'], devAllowedDomains: ['http://localhost:1'] };
  const rest = { format: 'plugin-package', formatVersion: 1, files: { 'm.js': '1' }, 'x-own': [1] };
  const text = `\ufeff${JSON.stringify({ ...rest, manifest: { ...manifest, networkAccess, 'x-kept': 1 } })}`;
  t.strictSame(JSON.parse(releasePackage(text)), {
    ...rest,
    manifest: { name: 'P', main: 'm.js', networkAccess: { allowedDomains: ['none'] }, 'x-kept': 1 },
  });
  t.equal(releasePackage('{"manifest":5}'), '{"manifest":5}');
  t.throws(() => releasePackage('{'), { name: 'SyntaxError' });
});

t.test('JSON is recognised by its first characters', async (t) => {
  for (const json of ['{', '\ufeff [', '\n// x\n{', '\u0000{\u0000}'])
    t.ok(looksLikeJson(bytesOf(json)), json);
  for (const other of ['', '<p>', 'PK\u0003\u0004', 'export {}', '\u0089PNG'])
    t.notOk(looksLikeJson(bytesOf(other)));
});
