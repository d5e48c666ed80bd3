import t from 'tap';
import { accessKindOf } from '../../../../web/features/plugins/detail/access-kind.ts';

t.test('how much of the network a plugin may reach', async (t) => {
  t.equal(accessKindOf([]), 'none');
  t.equal(accessKindOf(['api.example.com']), 'some');
  t.equal(accessKindOf(['*']), 'any');
  t.equal(accessKindOf(['api.example.com', '*']), 'any', 'one "*" opens everything');
});
