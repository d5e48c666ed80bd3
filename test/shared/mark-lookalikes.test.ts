import t from 'tap';
import { markLookalikeIn, withoutMarkLookalikes } from '../../shared/mark-lookalikes.ts';

t.test('characters that pass for the mark of verified publishers', async (t) => {
  for (const found of ['✓', '✔', '✔️', '✅', '☑', '☑️', '🗸', '🗹', '🛡️', '📛', '🏵️', '🎖️']) {
    t.equal(markLookalikeIn(`Ada ${found}`), found, found);
    t.equal(withoutMarkLookalikes(`Ada ${found}`), 'Ada', found);
  }
  t.equal(withoutMarkLookalikes('✅'), '');
  for (const name of ['Ada', '网格', 'Grid v2 √', '★ Icons', 'Über-Grid', '👩‍🎨 Studio', 'C++']) {
    t.equal(markLookalikeIn(name), undefined, name);
    t.equal(withoutMarkLookalikes(name), name);
  }
});
