import Fastify from 'fastify';
import t from 'tap';
import { Type } from 'typebox';
import { validatorCompiler } from '../../server/http/validation.ts';

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
