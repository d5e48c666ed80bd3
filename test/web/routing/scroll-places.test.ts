import t from 'tap';
import { keepPlaces, readPlaces } from '../../../web/routing/scroll-places.ts';

t.test('places that pages are scrolled to outlive the page', async (t) => {
  const kept = new Map<string, string>();
  const storage = () => ({
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  t.strictSame(readPlaces(storage), {});
  keepPlaces(storage, { default: 0, abc: 420.5 });
  t.strictSame(readPlaces(storage), { default: 0, abc: 420.5 });
  for (const nonsense of ['', '{', 'null', '[1', '{"a":"1"}', '7']) {
    for (const key of kept.keys()) kept.set(key, nonsense);
    t.strictSame(readPlaces(storage), {}, JSON.stringify(nonsense));
  }
});

t.test('without a storage pages begin at their top', async (t) => {
  const forbidden = (): never => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  t.strictSame(readPlaces(forbidden), {});
  t.doesNotThrow(() => keepPlaces(forbidden, { a: 1 }));
});
