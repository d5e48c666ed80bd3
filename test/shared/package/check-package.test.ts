import fc from 'fast-check';
import t from 'tap';
import { checkPackage } from '../../../shared/package/check-package.ts';
import { declaredBy, hostsIn, readDomain } from '../../../shared/package/domains.ts';
import { resolvePath } from '../../../shared/package/files/package-files.ts';
import { secretsIn } from '../../../shared/package/files/secrets.ts';
import { FINDING_CODES, finding, isFindingCode, isUsable } from '../../../shared/package/finding-codes.ts';
import { looksLikeJson } from '../../../shared/package/json/decode.ts';
import {
  isFilled,
  isOverruled,
  lengthOf,
  missingFindings,
  type PackagedField,
  textFindings,
} from '../../../shared/package/listing-rules.ts';
import { DEFAULT_PACKAGE_LIMITS, releasePackage } from '../../../shared/package/package.ts';
import { compareVersions, isVersion } from '../../../shared/package/version.ts';
import {
  BASE_LINES,
  bytesOf,
  goodPackage,
  LINE,
  packageText,
  withLine,
  withMain,
} from '../../fixtures/packages/base.ts';
import { BROKEN_PACKAGES } from '../../fixtures/packages/broken.ts';

t.test('check package', async (t) => {
  function isAnswer(bytes: Uint8Array): boolean {
    const { findings } = checkPackage(bytes);
    return (
      findings.length <= DEFAULT_PACKAGE_LIMITS.findings + 1 &&
      findings.every(
        ({ code, message, line = 1, column = 1 }) =>
          isFindingCode(code) && message.length < 1000 && line >= 1 && column >= 1,
      )
    );
  }

  t.test('any bytes give a result', async (t) => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), isAnswer), { numRuns: 2000 });
    t.pass('2000 files');
  });

  t.test('any JSON gives a result', async (t) => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (manifest, files, listing) =>
        isAnswer(
          bytesOf(JSON.stringify({ format: 'plugin-package', formatVersion: 1, manifest, files, listing })),
        ),
      ),
      { numRuns: 1000 },
    );
    t.pass('1000 packages');
  });

  t.test('any value in place of a valid one gives a result', async (t) => {
    const lines = BASE_LINES.map((text, index) => ({ text, line: index + 1 })).filter(({ text }) =>
      /": /.test(text),
    );
    fc.assert(
      fc.property(fc.constantFrom(...lines), fc.jsonValue(), ({ text, line }, value) => {
        const key = text.slice(0, text.indexOf(':'));
        const end = text.endsWith(',') ? ',' : '';
        return isAnswer(bytesOf(withLine(line, `${key}: ${JSON.stringify(value)}${end}`)));
      }),
      { numRuns: 1500 },
    );
    t.pass('1500 packages');
  });

  t.test('a changed or truncated file gives a result', async (t) => {
    const good = bytesOf(goodPackage());
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.nat(255), fc.boolean(), (at, byte, isCut) => {
        if (isCut) return isAnswer(good.slice(0, at)) && !isUsable(checkPackage(good.slice(0, at)).findings);
        const changed = good.slice();
        changed[at] = byte;
        return isAnswer(changed);
      }),
      { numRuns: 1500 },
    );
    t.pass('1500 files');
  });

  t.test('a syntax error of a script has the line of the script', async (t) => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(40), (before, indent) => {
        const script = `${'run();\n'.repeat(before)}${' '.repeat(indent)}const = 1;\n`;
        const [first] = checkPackage(bytesOf(withMain(script))).findings;
        return first?.code === 'CODE_SYNTAX' && first.line === before + 1 && first.column === indent + 7;
      }),
    );
    t.pass('lines and columns hold');
  });

  t.test('findings are limited, errors first, and the rest is counted', async (t) => {
    const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1]));
    const manifest = { ...unknown, name: 5, main: 'main.js' };
    const { findings } = checkPackage(bytesOf(packageText({ manifest, files: { 'main.js': 'run();' } })));
    t.equal(findings.length, 201);
    t.hasStrict(findings[0], { code: 'FIELD_TYPE', severity: 'error', pointer: '/manifest/name' });
    t.hasStrict(findings[200], { code: 'TOO_MANY_FINDINGS', params: { count: '302' } });
  });

  t.test('errors are reported before findings of lower severity', async (t) => {
    const limits = { ...DEFAULT_PACKAGE_LIMITS, findings: 3 };
    const files = { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', 'd.txt': 'd', 'main.js': 'const = 1' };
    const manifest = { name: 'P', main: 'main.js' };
    const { findings } = checkPackage(bytesOf(packageText({ manifest, files })), { limits });
    t.equal(findings.length, 4);
    t.hasStrict(findings[0], { code: 'CODE_SYNTAX', severity: 'error' });
    t.notOk(isUsable(findings));
  });

  t.test('findings of a list item have the lines and pointers of its file', async (t) => {
    const bytes = bytesOf(withLine(LINE.name, '    "name": 5,'));
    const origin = { line: 41, column: 3, pointer: '/7' };
    t.match(checkPackage(bytes, { origin }).findings, [
      { code: 'FIELD_TYPE', pointer: '/7/manifest/name', line: 40 + LINE.name, column: 13 },
    ]);
    const oneLine = bytesOf(JSON.stringify({ format: 'plugin-package', formatVersion: 2 }));
    t.match(checkPackage(oneLine, { origin }).findings[0], {
      code: 'FORMAT_VERSION',
      pointer: '/7/formatVersion',
      line: 41,
      column: 3 + oneLine.length - 2,
    });
    const script = checkPackage(bytesOf(withMain('const = 1')), { origin }).findings;
    t.hasStrict(script, [
      { code: 'CODE_SYNTAX', pointer: '/7/files/main.js', file: 'main.js', line: 1, column: 7 },
    ]);
  });

  t.test('the given limits apply', async (t) => {
    const check = (limits: Partial<typeof DEFAULT_PACKAGE_LIMITS>) =>
      checkPackage(bytesOf(goodPackage()), { limits: { ...DEFAULT_PACKAGE_LIMITS, ...limits } }).findings;
    t.hasStrict(check({ fileBytes: 100 }), [{ code: 'PACKAGE_TOO_LARGE', params: { size: '0' } }]);
    t.hasStrict(check({ codeBytes: 20 }), [
      { code: 'CODE_TOO_LARGE', pointer: '/files/main.js', params: { file: 'main.js' } },
    ]);
    t.hasStrict(check({ files: 1 }), [{ code: 'TOO_MANY_FILES', params: { limit: '1' } }]);
    t.hasStrict(check({ depth: 2 }), [{ code: 'JSON_TOO_DEEP', line: LINE.menu }]);
    t.strictSame(check({ fileBytes: bytesOf(goodPackage()).length }), []);
  });

  t.test(
    'a finding has its params in the message, shortens long ones and shows invisible characters',
    async (t) => {
      const found = finding(
        'FILE_MISSING',
        { pointer: '/manifest/main' },
        { file: `a\u0000${'é'.repeat(300)}` },
      );
      t.equal(found.severity, 'error');
      t.match(found.message, /^The package has no file a\u{fffd}é+…\.$/u);
      t.equal([...(found.params?.file ?? '')].length, 201);
      t.notOk('params' in finding('FIELD_REQUIRED', { pointer: '/name' }));
      for (const [code, { message }] of Object.entries(FINDING_CODES)) {
        t.match(code, /^[A-Z][A-Z0-9_]+$/);
        t.ok(message.length > 10);
      }
    },
  );
});

t.test('broken packages', async (t) => {
  for (const { kind, make, code, pointer, line, file } of BROKEN_PACKAGES) {
    t.test(`${kind} is refused`, async (t) => {
      const { findings } = checkPackage(make());
      const [first] = findings;
      t.notOk(isUsable(findings));
      t.hasStrict(first, { severity: 'error', code, pointer });
      t.equal(first?.line, line);
      t.equal(first?.file, file);
      t.ok(first && isFindingCode(first.code));
      t.notMatch(first?.message, /\{\w+\}/, 'every placeholder is filled');
    });
  }

  t.test('there are many cases, each once', async (t) => {
    const kinds = BROKEN_PACKAGES.map(({ kind }) => kind);
    t.ok(kinds.length >= 75);
    t.equal(new Set(kinds).size, kinds.length);
  });

  t.test('a finding never contains the secret', async (t) => {
    for (const { make } of BROKEN_PACKAGES.filter(({ code }) => code === 'SECRET_FOUND')) {
      t.notMatch(JSON.stringify(checkPackage(make()).findings), /Qw7Zx9/);
    }
  });
});

t.test('rules', async (t) => {
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

  t.test('names have no check marks: those of the listing, else that of the manifest', async (t) => {
    const good = JSON.parse(goodPackage());
    const marksIn = (change: object) => {
      const text = JSON.stringify({ ...good, ...change, manifest: { ...good.manifest, name: 'Grid ✔' } });
      const { findings } = checkPackage(bytesOf(text));
      const marks = findings.filter(({ code }) => code === 'NAME_MARK');
      return marks.map(({ severity, pointer, params }) => [severity, pointer, params]);
    };
    t.strictSame(marksIn({ listing: {} }), [['error', '/manifest/name', { found: '✔' }]]);
    t.strictSame(marksIn({ listing: { name: 'Grid ✅' } }), [['error', '/listing/name', { found: '✅' }]]);
    t.strictSame(marksIn({ listing: { name: { 'en-US': 'Grid', 'zh-CN': '网格☑' } } }), [
      ['error', '/listing/name/zh-CN', { found: '☑' }],
    ]);
    t.strictSame(marksIn({ listing: { name: 'Grid' } }), []);
  });

  t.test('required texts must not be blank in all languages', async (t) => {
    t.ok(isFilled({ 'en-US': ' ', 'es-ES': 'Paleta' }));
    t.notOk(isFilled({}));
    t.notOk(isFilled(' \n'));
    t.notOk(isFilled(undefined));
    const places = (includesVersion: boolean, kind: 'author' | 'custom' = 'author', holder = ' ') =>
      missingFindings(
        {
          name: { 'zh-CN': '调色板' },
          intro: { 'en-US': ' ' },
          contact: '',
          copyright: { kind, holder },
        },
        { includesVersion },
      ).map(({ code, pointer }) => `${code} ${pointer}`);
    const said = (...names: string[]) => names.map((name) => `FIELD_REQUIRED /${name}`);
    t.strictSame(places(true), said('intro', 'description', 'contact', 'version_note'));
    t.strictSame(
      places(false),
      said('intro', 'description', 'contact'),
      'a version that stays needs no note',
    );
    t.strictSame(places(false, 'custom'), said('intro', 'description', 'contact', 'copyright_holder'));
    t.strictSame(places(false, 'custom', 'Ada'), said('intro', 'description', 'contact'));
  });

  t.test('a form field replaces its value in the package, and none whose name begins alike', async (t) => {
    const isReplaced = (pointer: string, code: 'TEXT_TOO_LONG' | 'SECRET_LIKE' = 'TEXT_TOO_LONG'): boolean =>
      isOverruled(finding(code, { pointer }), '/3', (field: PackagedField) => field === 'version');
    for (const pointer of ['/3/listing/version', '/3/manifest/version', '/3/listing/version/0'])
      t.equal(isReplaced(pointer), true, pointer);
    for (const pointer of ['/3/listing/versionNote/en-US', '/3/listing/name', '/4/listing/version', '/3'])
      t.equal(isReplaced(pointer), false, pointer);
    t.equal(isReplaced('/3/listing/version', 'SECRET_LIKE'), false, 'a warning stays');
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
    t.strictSame(
      secretsIn(`ghp_${'a'.repeat(36)} sk_live_${'x'.repeat(24)} apiKey: "${'1'.repeat(30)}"`),
      [],
    );
  });

  t.test('developers may reach any domain without a reason', async (t) => {
    const networkAccess = { allowedDomains: ['none'], devAllowedDomains: ['*'] };
    const manifest = { name: 'P', main: 'main.js', networkAccess };
    const { findings } = checkPackage(bytesOf(packageText({ manifest, files: { 'main.js': 'run();' } })));
    t.notOk(
      findings.some(({ code }) => code.startsWith('DOMAIN_')),
      JSON.stringify(findings),
    );
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
});
