import t from 'tap';
import { asksForMore, permissionChanges, rightsOf } from '../../../shared/package/permission-changes.ts';

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
  t.notOk(asksForMore(permissionChanges(null, rights([], [], ['pixso']))), 'an editor is nothing to accept');
});

t.test('domains, permissions and editors are added, removed or unchanged', async (t) => {
  const before = rights(['a.example.com', 'b.example.com'], ['currentuser', 'payments'], ['pixso', 'figma']);
  const after = rights(['b.example.com', 'c.example.com'], ['payments', 'teamlibrary'], ['figma', 'figjam']);
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
