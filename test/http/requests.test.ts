import { connect } from 'node:net';
import { fastifyCookie } from '@fastify/cookie';
import fc from 'fast-check';
import Fastify from 'fastify';
import t from 'tap';
import { Type } from 'typebox';
import { createApp } from '../../server/http/app.ts';
import { validatorCompiler } from '../../server/http/compilers.ts';
import { cookieLine, cookieName, cookies, deletionLine, setCookies } from '../../server/http/cookies.ts';
import { createLog } from '../../server/http/log.ts';
import { malformedCode } from '../../server/http/refuse.ts';
import { startGateway } from '../support/gateway.ts';
import { portOf } from '../support/port.ts';
import { sendRaw, statusOf } from '../support/raw-request.ts';
import { until } from '../support/until.ts';

t.test('cookies', async (t) => {
  const NAME = '__Host-Http-session';

  const app = Fastify();
  await app.register(cookies);
  app.get('/', (request) => ({ ...request.cookies }));

  async function read(cookie: string): Promise<Record<string, string>> {
    return (await app.inject({ url: '/', headers: { cookie } })).json();
  }

  t.test('a cookie is found by its exact name', async (t) => {
    t.strictSame(await read(`a=1; ${NAME}=mine`), { a: '1', [NAME]: 'mine' });
    t.strictSame(
      await read(`\t ${NAME} = mine`),
      { [NAME]: 'mine' },
      'without the spaces that browsers drop',
    );
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
    t.strictSame(
      await read('session=a; session=b; lang=ru'),
      { session: 'a', lang: 'ru' },
      'without a prefix',
    );
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
});

t.test('validated requests', async (t) => {
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
  app.post('/', { schema: { body, querystring } }, (request) => ({
    body: request.body,
    query: request.query,
  }));

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

  t.test('a schema of several routes and parts: text is converted in queries only', async (t) => {
    const count = Type.Object({ count: Type.Integer() });
    const app = Fastify();
    app.setValidatorCompiler(validatorCompiler);
    const response = { 200: count };
    app.get('/', { schema: { querystring: count, response } }, ({ query }) => ({
      ...Object(query),
      secret: 1,
    }));
    app.post('/', { schema: { body: count, response } }, ({ body }) => ({ ...Object(body), secret: 1 }));
    t.strictSame(
      (await app.inject('/?count=2')).json(),
      { count: 2 },
      'only what the contract names is sent',
    );
    const post = (payload: object) => app.inject({ method: 'POST', url: '/', payload });
    t.strictSame((await post({ count: 3 })).json(), { count: 3 });
    t.equal((await post({ count: '3' })).statusCode, 400);
    t.equal((await app.inject({ method: 'HEAD', url: '/?count=two' })).statusCode, 400);
  });

  t.test('no text holds NUL or half of a surrogate pair, in whatever depth', async (t) => {
    const at = async (payload: object, query = '') => {
      const { statusCode, message } = await post(payload, query);
      return [statusCode, message];
    };
    const [status, message] = await at({ name: 'a\0b' });
    t.strictSame([status, message], [400, 'body/name must not contain the character NUL']);
    t.equal((await at({ name: 'a', place: { city: '\0' } }))[0], 400);
    t.equal((await at({ name: 'a', rest: { deep: [{ as: ['\0'] }] } }))[0], 400);
    t.equal((await at({ name: 'a', rest: { 'na\0me': 1 } }))[0], 400);
    t.strictSame(await at({ name: 'a\ud83d' }), [400, 'body/name must not contain half of a surrogate pair']);
    t.equal((await at({ name: 'a', rest: { deep: [{ as: ['\ude00\ud83d'] }] } }))[0], 400);
    t.equal((await at({ name: 'a', rest: { '\udc00': 1 } }))[0], 400);
    t.strictSame((await post({ name: '😀' })).body, { name: '😀' });
    t.equal((await at({ name: 'a' }, '?tags=a%00'))[0], 400);
    t.strictSame(
      (await post({ name: 'a\u0001' })).body,
      { name: 'a\u0001' },
      'other unusual characters are allowed',
    );
  });
});

t.test('refused requests', async (t) => {
  async function startApp(t: { teardown(work: () => Promise<unknown>): void }) {
    let text = '';
    const destination = {
      write: (line: string) => {
        text += line;
      },
    };
    const app = createApp({ log: createLog({ level: 'debug', version: 'test', destination }) });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    app.get('/slow', async () => {
      await released;
      return 'slow response';
    });
    app.all('/', async () => ({ code: 0 }));
    await app.listen({ host: '127.0.0.1', port: 0 });
    t.teardown(() => app.close());
    return { url: `http://127.0.0.1:${portOf(app.server)}`, log: () => text, release };
  }

  const HOST = 'Host: localhost';
  const CANARY = 'CANARY';

  const MALFORMED: [name: string, bytes: string, status: number, code: string][] = [
    ['an invalid request line', `${CANARY} is no request\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
    ['an unknown method', `${CANARY} / HTTP/1.1\r\n${HOST}\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
    ['a TLS handshake', `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${CANARY}`, 400, 'MALFORMED_REQUEST'],
    ['an unknown version', `GET /${CANARY} HTTP/7.3\r\n${HOST}\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
    ['a control character', `GET /${CANARY}\x01 HTTP/1.1\r\n${HOST}\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
    ['obs-fold', `GET / HTTP/1.1\r\n${HOST}\r\nX: a\r\n ${CANARY}\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
    [
      'Content-Length with Transfer-Encoding',
      `POST / HTTP/1.1\r\n${HOST}\r\nX: ${CANARY}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'MALFORMED_REQUEST',
    ],
    [
      'two Content-Length headers',
      `POST / HTTP/1.1\r\n${HOST}\r\nX: ${CANARY}\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc`,
      400,
      'MALFORMED_REQUEST',
    ],
    [
      'oversized headers',
      `GET / HTTP/1.1\r\n${HOST}\r\nX-${CANARY}: ${'y'.repeat(200_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['an expectation', `GET / HTTP/1.1\r\n${HOST}\r\nExpect: ${CANARY}\r\n\r\n`, 417, 'EXPECTATION_REFUSED'],
  ];

  for (const [name, bytes, status, code] of MALFORMED) {
    t.test(`R 10.5: ${name} gets the error envelope, which echoes nothing`, async (t) => {
      const { url, log } = await startApp(t);
      const received = await sendRaw(url, bytes);
      t.equal(statusOf(received), status);
      const [, body = ''] = received.split('\r\n\r\n');
      t.equal(JSON.parse(body).code, code);
      t.notMatch(received, CANARY);
      t.notMatch(log(), CANARY);
      t.equal((await fetch(url)).status, 200, 'the server still works');
    });
  }

  t.test('the error for a malformed pipelined request does not get into a pending response', async (t) => {
    const { url, log, release } = await startApp(t);
    const receiving = sendRaw(url, `GET /slow HTTP/1.1\r\n${HOST}\r\n\r\n${CANARY}\r\n\r\n`);
    await until(() => log().includes('unreadable request'));
    release();
    const received = await receiving;
    t.notMatch(received, 'MALFORMED_REQUEST');
    t.notMatch(received, CANARY);
  });

  t.test('a malformed request after one on the same connection is refused', async (t) => {
    const { url } = await startApp(t);
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.write(`GET / HTTP/1.1\r\n${HOST}\r\n\r\n`);
    await until(() => received.includes('HTTP/1.1 200 OK'));
    socket.write('nonsense\r\n\r\n');
    await new Promise((done) => socket.once('close', done));
    t.match(received, /200 OK.*400 Bad Request/s);
  });

  t.test('a request timeout is 408', async (t) => {
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    t.equal(malformedCode(error), 'REQUEST_TIMEOUT');
  });

  t.test('R 10.5: without Host or with two the gateway sends the error envelope', async (t) => {
    const gateway = await startGateway(t);
    for (const hosts of ['', `${HOST}\r\nHost: ${CANARY}\r\n`]) {
      const received = await sendRaw(gateway.url, `GET /plugins/ HTTP/1.1\r\n${hosts}\r\n`);
      t.equal(statusOf(received), 400);
      t.match(received, '"code":"BAD_HOST"');
      t.notMatch(received, CANARY);
    }
  });

  t.test('a QUERY request without a content type is 415', async (t) => {
    const { url, log } = await startApp(t);
    for (const body of ['', 'Content-Length: 2\r\n\r\nhi']) {
      const end = body === '' ? '\r\n' : body;
      const received = await sendRaw(url, `QUERY / HTTP/1.1\r\n${HOST}\r\n${end}`);
      t.equal(statusOf(received), 415);
      t.match(received, '"code":"UNSUPPORTED_MEDIA_TYPE"');
    }
    t.notMatch(log(), /"level":"error"|stack/);
  });
});
