import t from 'tap';
import { accessKindOf } from '../../../../web/features/plugins/detail/access-kind.ts';

t.test('network access is classified', async (t) => {
  t.equal(accessKindOf([]), 'none');
  t.equal(accessKindOf(['api.example.com']), 'some');
  t.equal(accessKindOf(['*']), 'any');
  t.equal(accessKindOf(['api.example.com', '*']), 'any', 'one "*" allows everything');
});
