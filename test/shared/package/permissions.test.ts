import t from 'tap';
import { checkPackage } from '../../../shared/package/check-package.ts';
import { isUsable } from '../../../shared/package/finding-codes.ts';
import { asksForMore, permissionChanges, rightsOf } from '../../../shared/package/permission-changes.ts';
import { PACKAGE_SHAPES, packageFile } from '../../fixtures/packages/shapes.ts';

t.test('permission changes', async (t) => {
  const rights = (domains: string[], permissions: string[] = [], editors: string[] = []) => ({
    domains,
    permissions,
    editors,
  });

  t.test('everything in a first version is added, and nothing removed', async (t) => {
    const changes = permissionChanges(null, rights(['api.example.com'], ['payments'], ['pixso']));
    t.strictSame(changes, {
      domains: { added: ['api.example.com'], removed: [], unchanged: [] },
      permissions: { added: ['payments'], removed: [], unchanged: [] },
      editors: { added: ['pixso'], removed: [], unchanged: [] },
    });
    t.ok(asksForMore(changes));
    t.notOk(
      asksForMore(permissionChanges(null, rights([], [], ['pixso']))),
      'an editor is nothing to accept',
    );
  });

  t.test('domains, permissions and editors are added, removed or unchanged', async (t) => {
    const before = rights(
      ['a.example.com', 'b.example.com'],
      ['currentuser', 'payments'],
      ['pixso', 'figma'],
    );
    const after = rights(
      ['b.example.com', 'c.example.com'],
      ['payments', 'teamlibrary'],
      ['figma', 'figjam'],
    );
    const changes = permissionChanges(before, after);
    t.strictSame(changes, {
      domains: { added: ['c.example.com'], removed: ['a.example.com'], unchanged: ['b.example.com'] },
      permissions: { added: ['teamlibrary'], removed: ['currentuser'], unchanged: ['payments'] },
      editors: { added: ['figjam'], removed: ['pixso'], unchanged: ['figma'] },
    });
    t.ok(asksForMore(changes));
    t.notOk(asksForMore(permissionChanges(after, after)), 'the same asks for nothing more');
    t.notOk(asksForMore(permissionChanges(before, rights([], []))), 'nothing asks for nothing more');
    t.notOk(asksForMore(permissionChanges(rights([], [], ['figma']), rights([], [], ['figma', 'figjam']))));
  });

  t.test('a domain is added unless a previous one includes it', async (t) => {
    const covered: [before: string, after: string][] = [
      ['*', 'api.example.com'],
      ['*', '*.example.com'],
      ['*', '*'],
      ['example.com', 'EXAMPLE.com'],
      ['*.example.com', 'api.example.com'],
      ['*.example.com', 'a.b.example.com'],
      ['*.example.com', '*.eu.example.com'],
      ['*.example.com', 'https://api.example.com/v1/'],
      ['example.com', 'https://example.com'],
      ['http://example.com', 'https://example.com'],
      ['https://example.com', 'https://example.com:443'],
      ['ws://example.com', 'wss://example.com'],
      ['https://example.com', 'https://example.com/v1/items'],
      ['https://example.com/', 'https://example.com/v1/'],
      ['https://example.com/', 'https://example.com'],
      ['https://example.com/v1/', 'https://example.com/v1/items'],
      ['https://example.com/v1', 'https://example.com/v1'],
      ['no pattern at all', 'no pattern at all'],
    ];
    for (const [before, after] of covered) {
      const { domains } = permissionChanges(rights([before]), rights([after]));
      t.strictSame(domains.added, [], `${before} covers ${after}`);
      t.strictSame(domains.unchanged, [after]);
    }
    const wider: [before: string, after: string][] = [
      ['api.example.com', '*'],
      ['*.example.com', '*'],
      ['api.example.com', '*.example.com'],
      ['*.eu.example.com', '*.example.com'],
      ['*.example.com', 'example.com'],
      ['*.example.com', 'badexample.com'],
      ['example.com', 'api.example.com'],
      ['https://example.com', 'example.com'],
      ['https://example.com', 'http://example.com'],
      ['https://example.com', 'wss://example.com'],
      ['example.com', 'example.com:8443'],
      ['example.com:8443', 'example.com'],
      ['https://example.com/v1/', 'https://example.com'],
      ['https://example.com/v1/', 'https://example.com/'],
      ['https://example.com/v1/', 'https://example.com/v2/'],
      ['https://example.com/v1', 'https://example.com/v1/'],
      ['https://example.com/v1', 'https://example.com/v1/items'],
      ['https://example.com/v1/', 'https://example.com/v1/../admin/'],
      ['https://example.com/v1/', 'https://example.com/v1/%2e%2e/'],
      ['no pattern at all', 'example.com'],
    ];
    for (const [before, after] of wider) {
      const changes = permissionChanges(rights([before]), rights([after]));
      t.strictSame(changes.domains.added, [after], `${before} does not cover ${after}`);
      t.ok(asksForMore(changes));
    }
  });

  t.test('a wider domain is removed if only a narrower one remains', async (t) => {
    const { domains } = permissionChanges(rights(['*']), rights(['api.example.com']));
    t.strictSame(domains, { added: [], removed: ['*'], unchanged: ['api.example.com'] });
    const wide = permissionChanges(rights(['api.example.com']), rights(['*']));
    t.strictSame(
      wide.domains,
      { added: ['*'], removed: [], unchanged: [] },
      'nothing is lost by asking for all',
    );
  });

  t.test('any stored manifest can be read', async (t) => {
    const manifest = { permissions: ['payments', 7, 'payments', ''], editorType: ['pixso'] };
    t.strictSame(rightsOf(manifest, ['a.example.com', 'a.example.com']), {
      domains: ['a.example.com'],
      permissions: ['payments'],
      editors: ['pixso'],
    });
    for (const odd of [null, undefined, 'text', [], { permissions: 'payments', editorType: {} }]) {
      t.strictSame(rightsOf(odd, []), { domains: [], permissions: [], editors: [] });
    }
  });
});

t.test('shapes of packages', async (t) => {
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
    t.hasStrict(read?.manifest, {
      menu: [{ command: 'check' }, { separator: true }, { command: 'settings' }],
    });
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
});
