import t from 'tap';
import { FALLBACK_LANGUAGE } from '../../shared/languages.ts';
import { isUsed, textUses } from './support/text-uses.ts';
import { textsOf } from './support/texts.ts';

const uses = textUses();
const keys = [...textsOf(FALLBACK_LANGUAGE).keys()];

t.test('every text is used', async (t) => {
  t.strictSame(
    keys.filter((key) => !isUsed(key, uses)),
    [],
  );
});

t.test('text uses are found in sources', async (t) => {
  t.ok(uses.keys.size > 500, `${uses.keys.size} keys are written out`);
  t.ok(uses.patterns.length > 20, `${uses.patterns.length} patterns`);
  t.notOk(isUsed('home.no_such_text', uses));
  t.notOk(isUsed('publish.need_no_such_field', uses), 'a pattern needs a word that is in the sources');
  t.notOk(isUsed('plugin.no_such_text', uses), 'a variable needs a word that is in the sources');
  t.ok(isUsed('publish.need_contact', uses));
});
