import t from 'tap';
import { checkPackage } from '../../../shared/package/check-package.ts';
import { isUsable } from '../../../shared/package/finding-codes.ts';
import { PACKAGE_SHAPES, packageFile } from '../../fixtures/packages/shapes.ts';

function codesOf(bytes: Uint8Array): string[] {
  return [...new Set(checkPackage(bytes).findings.map(({ code }) => code))].sort();
}

for (const { kind, make, codes, read } of PACKAGE_SHAPES) {
  t.test(kind, async (t) => {
    const bytes = make();
    const { package: found } = checkPackage(bytes);
    t.strictSame(codesOf(bytes), codes);
    if (read === null) {
      t.equal(found, null);
      return;
    }
    const { files, ...rest } = read;
    t.match(found, rest);
    t.equal(found?.name, read.name);
    if (files)
      t.strictSame(
        found?.files.map(({ name }) => name),
        files,
      );
  });
}

t.test('there are many packages, each once', async (t) => {
  const kinds = PACKAGE_SHAPES.map(({ kind }) => kind);
  t.ok(kinds.length >= 40);
  t.equal(new Set(kinds).size, kinds.length);
});

t.test('a package is read completely', async (t) => {
  const { findings, package: read } = checkPackage(packageFile('colour-steps.json'));
  t.strictSame(findings, []);
  t.hasStrict(read, {
    name: 'Colour Steps',
    version: '1.4.0',
    external_id: 'colour-steps',
    allowed_domains: [],
    permissions: [],
    icon: null,
    listing: {
      default_lang: 'en-US',
      name: { 'en-US': 'Colour Steps', 'zh-CN': '色阶', 'ru-RU': 'Ступени цвета' },
      intro: { 'en-US': 'Steps of a colour' },
      tags: ['secai'],
      contact: 'steps@plugins.example',
      copyright: { kind: 'author', holder: '' },
      version_note: { 'en-US': 'First version.' },
    },
  });
  t.strictSame(
    read?.files.map(({ name }) => name),
    ['main.js', 'ui.html'],
  );
});

t.test('a manifest of Figma without its files prefills the form', async (t) => {
  const { findings, package: read } = checkPackage(packageFile('figma-manifest.json'));
  t.hasStrict(findings, [{ code: 'FILES_MISSING', severity: 'error', pointer: '' }]);
  t.equal(findings.length, 1);
  t.hasStrict(read, { name: 'Contrast Grid', external_id: '1231231231231231231', files: [] });
  t.hasStrict(read?.manifest, { menu: [{ command: 'check' }, { separator: true }, { command: 'settings' }] });
});

t.test('an icon is decoded', async (t) => {
  const shape = PACKAGE_SHAPES.find(({ kind }) => kind === 'icon');
  const { findings, package: read } = checkPackage(shape?.make() ?? new Uint8Array());
  t.ok(isUsable(findings));
  t.strictSame([...(read?.icon ?? [])].slice(0, 4), [0x89, 0x50, 0x4e, 0x47]);
});

t.test('allowed domains: "none" is nothing, and no declaration is everything', async (t) => {
  const reach = (manifest: object) => {
    const whole = { format: 'plugin-package', formatVersion: 1, manifest, files: { 'main.js': '1;' } };
    return checkPackage(new TextEncoder().encode(JSON.stringify(whole))).package?.allowed_domains;
  };
  const manifest = { name: 'Reach', main: 'main.js' };
  t.strictSame(reach({ ...manifest, networkAccess: { allowedDomains: ['none'] } }), []);
  t.strictSame(reach(manifest), ['*']);
  t.strictSame(reach({ ...manifest, networkAccess: { allowedDomains: ['api.example.com'] } }), [
    'api.example.com',
  ]);
});
