import { fileURLToPath } from 'node:url';
import t from 'tap';
import { classNamer, shortName } from '../../../web/build/class-names.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const BUTTON = `${ROOT}web/ui/button/button.module.css`;

t.test('classes have short names that follow from the sources', async (t) => {
  const name = classNamer(ROOT);
  t.match(name('button', BUTTON), /^[A-Za-z][\w]?$/);
  t.equal(name('button', BUTTON), classNamer(ROOT)('button', `${BUTTON}?used`));
  t.not(name('button', BUTTON), name('primary', BUTTON));
  t.throws(() => name('unknown', BUTTON), /has no class unknown/);
});

t.test('no two names are the same, and none is one that content blockers hide', async (t) => {
  const names = Array.from({ length: 3000 }, (_, index) => shortName(index));
  t.equal(new Set(names).size, names.length);
  t.notOk(names.some((name) => /^\d|[aA]/.test(name)));
  t.throws(() => shortName(100_000), /more classes than names/);
});
