import t from 'tap';
import { breakResponses, openPages } from '../../gateway/fixtures/broken-responses.ts';

t.test('no missing or malformed field of a service breaks a page', async (t) => {
  await breakResponses(t, await openPages(t));
});
