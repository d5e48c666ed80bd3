import t from 'tap';
import { accessKindOf } from '../../../../web/features/plugins/detail/access-kind.ts';

t.test('how much of the network a plugin may reach', async (t) => {
  t.equal(accessKindOf({ allowed_domains: [] }), 'none');
  t.equal(accessKindOf({ allowed_domains: ['api.example.com'] }), 'some');
  t.equal(accessKindOf({ allowed_domains: ['*'] }), 'any');
  t.equal(accessKindOf({ allowed_domains: ['api.example.com', '*'] }), 'any', 'one "*" opens everything');
});
