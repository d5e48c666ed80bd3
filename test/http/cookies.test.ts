import { fastifyCookie } from '@fastify/cookie';
import fc from 'fast-check';
import Fastify from 'fastify';
import t from 'tap';
import { cookieLine, cookieName, cookies, deletionLine, setCookies } from '../../server/http/cookies.ts';

const NAME = '__Host-Http-session';

const app = Fastify();
await app.register(cookies);
app.get('/', (request) => ({ ...request.cookies }));

async function read(cookie: string): Promise<Record<string, string>> {
  return (await app.inject({ url: '/', headers: { cookie } })).json();
}

t.test('a cookie is found by its exact name', async (t) => {
  t.strictSame(await read(`a=1; ${NAME}=mine`), { a: '1', [NAME]: 'mine' });
  t.strictSame(await read(`\t ${NAME} = mine`), { [NAME]: 'mine' }, 'without the spaces that browsers drop');
  for (const name of [
    `\xA0${NAME}`,
    `${NAME}\xA0`,
    `\x85${NAME}`,
    `\xE2\x80\x80${NAME}`,
    `\xC2\xA0${NAME}`,
    `\x0B${NAME}`,
    `"${NAME}"`,
    `.${NAME}`,
    NAME.toLowerCase(),
    NAME.toUpperCase(),
    NAME.replace('H', '%48'),
    encodeURIComponent(`\xA0${NAME}`),
  ]) {
    const disguised = `${name}=planted`;
    t.strictSame(await read(disguised), { [name]: 'planted' }, `${JSON.stringify(name)} is another cookie`);
    const both = await read(`${disguised}; ${NAME}=mine`);
    t.equal(both[NAME], 'mine', `beside ${JSON.stringify(name)}`);
  }
  t.strictSame(await read(`=${NAME}=planted`), { '': `${NAME}=planted` }, 'a cookie without a name');
  t.strictSame(await read(NAME), {}, 'a name without a value');
  t.strictSame(await read(`$Version=1; ${NAME}="mine"`), { $Version: '1', [NAME]: '"mine"' });
});

t.test('of two cookies with one name under __Host- neither counts', async (t) => {
  for (const twice of [
    `${NAME}=a; ${NAME}=b`,
    `${NAME}=a; ${NAME}=a`,
    `${NAME}=a;${NAME}=b`,
    `${NAME}=; ${NAME}=b`,
    `${NAME}=a;\t${NAME}\t=b`,
    `${NAME}=a; x; ${NAME}=b`,
    `x=1; ${NAME}=a; y=2; ${NAME}=b; ${NAME}=c`,
  ]) {
    t.equal((await read(twice))[NAME], '', twice);
  }
  t.strictSame(await read(`${NAME}=a; ${NAME}-1=b; ${NAME}-1=c`), { [NAME]: 'a', [`${NAME}-1`]: '' });
  t.equal(
    (await read(`${NAME}=a; \xA0${NAME}=b; ${NAME.toLowerCase()}=c`))[NAME],
    'a',
    'other cookies are not affected',
  );
  t.strictSame(await read('session=a; session=b; lang=ru'), { session: 'a', lang: 'ru' }, 'without a prefix');
});

t.test('each part of a header has the names that it has in the whole', async (t) => {
  const piece = fc.constantFrom(';', '; ', '=', ' ', '\t', '\xA0', ',', '"', '%3B', 'a', NAME, '__proto__');
  const property = fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
    const header = pieces.join('');
    const inParts = new Set(header.split(';').flatMap((part) => Object.keys(fastifyCookie.parse(part))));
    const named = (names: Iterable<string>) => [...names].filter((name) => name !== '').sort();
    return named(inParts).join() === named(Object.keys(fastifyCookie.parse(header))).join();
  });
  fc.assert(property, { seed: 20_260_801, numRuns: 5000 });
  t.pass('5,000 headers');
});

t.test('lines are written with every attribute, and deleted with the same', async (t) => {
  const attributes = { secure: true, sameSite: 'none', partitioned: true } as const;
  t.equal(
    cookieLine(cookieName('bind', true), 'x.y_z-1', 90_500, attributes),
    '__Host-Http-bind=x.y_z-1; Max-Age=90; Path=/; HttpOnly; Secure; Partitioned; SameSite=None',
  );
  t.equal(
    deletionLine(cookieName('bind', true), attributes),
    '__Host-Http-bind=; Max-Age=0; Path=/; HttpOnly; Secure; Partitioned; SameSite=None',
  );
  t.equal(
    cookieLine(cookieName('bind', false), 'x', -1, { secure: false, sameSite: 'lax' }),
    'bind=x; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
  );
});

t.test('an answer never sets one cookie twice', async (t) => {
  const setting = Fastify();
  await setting.register(cookies);
  const attributes = { secure: false, sameSite: 'strict' } as const;
  setting.get('/', (_request, reply) => {
    setCookies(reply, []);
    setCookies(reply, [deletionLine('session', attributes), cookieLine('login', 'a', 1000, attributes)]);
    setCookies(reply, [cookieLine('session', 'new', 1000, attributes)]);
    return {};
  });
  const answer = await setting.inject({ url: '/' });
  t.strictSame(answer.headers['set-cookie'], [
    'session=new; Max-Age=1; Path=/; HttpOnly; SameSite=Strict',
    'login=a; Max-Age=1; Path=/; HttpOnly; SameSite=Strict',
  ]);
});
