import t from 'tap';
import { checkPackage } from '../../../shared/package/check-package.ts';
import { isFindingCode, isUsable } from '../../../shared/package/finding-codes.ts';
import { BROKEN_PACKAGES } from '../../fixtures/packages/broken.ts';

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
