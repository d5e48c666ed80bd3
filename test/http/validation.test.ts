import Fastify from 'fastify';
import t from 'tap';
import { Type } from 'typebox';
import { validatorCompiler } from '../../server/http/implement.ts';

const app = Fastify();
app.setValidatorCompiler(validatorCompiler);
const body = Type.Object({
  name: Type.String(),
  place: Type.Optional(Type.Object({ city: Type.String() })),
  rest: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
const querystring = Type.Object({
  page: Type.Optional(Type.Integer()),
  tags: Type.Array(Type.String(), { default: [] }),
});
app.post('/', { schema: { body, querystring } }, (request) => ({ body: request.body, query: request.query }));

const post = async (payload: object, query = '') =>
  (await app.inject({ method: 'POST', url: `/${query}`, payload })).json();

t.test('what the contract does not name reaches no handler', async (t) => {
  const told = await post(
    { name: 'a', admin: true, place: { city: 'b', owner: 1 }, rest: { free: { as: 'it is' } } },
    '?page=2&bind_for=7',
  );
  t.strictSame(told.body, { name: 'a', place: { city: 'b' }, rest: { free: { as: 'it is' } } });
  t.strictSame(told.query, { page: 2, tags: [] });
});

t.test('what it names must be right all the same', async (t) => {
  t.equal((await post({ name: 1, admin: true })).statusCode, 400);
  t.equal((await post({ name: 'a', place: {} })).statusCode, 400);
  t.equal((await post({ name: 'a' }, '?page=two')).statusCode, 400);
});

t.test('no text holds the character NUL, in whatever depth', async (t) => {
  const at = async (payload: object, query = '') => {
    const { statusCode, message } = await post(payload, query);
    return [statusCode, message];
  };
  const [status, message] = await at({ name: 'a\0b' });
  t.strictSame([status, message], [400, 'body/name must not contain the character NUL']);
  t.equal((await at({ name: 'a', place: { city: '\0' } }))[0], 400);
  t.equal((await at({ name: 'a', rest: { deep: [{ as: ['\0'] }] } }))[0], 400);
  t.equal((await at({ name: 'a', rest: { 'na\0me': 1 } }))[0], 400);
  t.equal((await at({ name: 'a' }, '?tags=a%00'))[0], 400);
  t.strictSame(
    (await post({ name: 'a\u0001' })).body,
    { name: 'a\u0001' },
    'other unusual characters are allowed',
  );
});
