import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import t, { type Test } from 'tap';
import { Type } from 'typebox';
import { contract } from '../../shared/contract.ts';
import { type Route, route } from '../../shared/route.ts';
import { isApiError, isUnauthenticated } from '../../web/api/api-error.ts';
import { isCancelled } from '../../web/api/call.ts';
import { multipartForm } from '../../web/api/multipart-form.ts';
import { createSend, type Send } from '../../web/api/transport.ts';
import { type WireOperation, wireOperation } from '../../web/api/wire-operation.ts';
import { operationTables } from '../../web/build/operations.ts';
import { until } from '../support/until.ts';

t.test('transport', async (t) => {
  const read: WireOperation = {
    method: 'GET',
    path: '/api/x',
    in: 'query',
    open: true,
    params: [],
  };
  const write: WireOperation = { ...read, method: 'POST', in: 'body' };

  type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string };

  /** A service that responds as `answer` says and records its requests. */
  async function service(
    t: Test,
    answer: (response: ServerResponse) => void,
    timeout?: number,
  ): Promise<{ send: Send; seen: Seen[]; origin: string }> {
    const seen: Seen[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString('latin1') });
      answer(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const origin = `http://127.0.0.1:${port}`;
    const send = createSend({
      fetch,
      origin,
      pagePath: () => '/plugins/',
      language: () => 'en-US',
      ...(timeout ? { timeout } : {}),
    });
    return { send, seen, origin };
  }

  function envelope(status: number, body: unknown, headers: Record<string, string> = {}) {
    return (response: ServerResponse): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
  }

  async function refusal(sent: Promise<unknown>) {
    const error = await sent.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!isApiError(error)) throw new Error('the call did not fail as calls fail', { cause: error });
    return error;
  }

  t.test('success is code 0 or 200 with data present', async (t) => {
    for (const code of [0, 200]) {
      const { send } = await service(t, envelope(200, { code, message: '', data: { a: 1 } }));
      t.strictSame(await send(read, {}), { a: 1 }, `code ${code}`);
    }
    for (const body of [{ code: 0 }, { code: 0, data: null }, { code: '', data: {} }, [], 'text', null]) {
      const { send } = await service(t, envelope(200, body));
      const error = await refusal(send(read, {}));
      t.hasStrict(error, { code: -10000, status: 200, reason: undefined }, JSON.stringify(body));
    }
  });

  t.test('a successful write stays a success without data', async (t) => {
    const plugin_key = { as: 'text', optional: true } as const;
    for (const body of [{ code: 0 }, { code: '200', message: 'ok', data: null }]) {
      const { send } = await service(t, envelope(200, body));
      t.strictSame(await send({ ...write, data: { as: 'fields', of: { plugin_key } } }, {}), {});
    }
  });

  t.test('data fits its shape, or the call fails', async (t) => {
    const data = {
      as: 'fields',
      of: { name: { as: 'text', needed: true }, count: { as: 'integer' } },
    } as const;
    const usable = await service(t, envelope(200, { code: 0, data: { name: 7, count: '12', other: true } }));
    t.strictSame(await usable.send({ ...read, data }, {}), { name: '7', count: 12 });
    const unusable = await service(t, envelope(200, { code: 0, data: { count: 12 } }));
    t.hasStrict(await refusal(unusable.send({ ...read, data }, {})), {
      code: 'UPSTREAM_INVALID',
      status: 200,
    });
  });

  t.test('the numeric code and message of a foreign service are kept', async (t) => {
    for (const [status, body, expected] of [
      [
        200,
        { code: 40012, message: ' Taken\n<b>down</b> ' },
        { code: 40012, status: 200, foreignMessage: 'Taken <b>down</b>' },
      ],
      [409, { code: '7', message: 'No.' }, { code: 7, status: 409, foreignMessage: 'No.' }],
      [200, { code: 404, message: '' }, { code: 404, status: 404, foreignMessage: undefined }],
      [200, { code: 401, message: 'Who?' }, { code: 401, status: 401, foreignMessage: 'Who?' }],
      [
        404,
        { code: 'PLUGIN_NOT_FOUND', message: 'x' },
        { code: 'PLUGIN_NOT_FOUND', status: 404, foreignMessage: undefined },
      ],
      [200, { code: 5, message: 'x'.repeat(500) }, { code: 5, foreignMessage: 'x'.repeat(200) }],
      [200, { code: 5, message: { a: 1 } }, { code: 5, foreignMessage: undefined }],
    ] as const) {
      const { send } = await service(t, envelope(status, body));
      const { code, foreignMessage, status: seen, reason } = await refusal(send(read, {}));
      t.match({ code, foreignMessage, status: seen }, expected, JSON.stringify(body).slice(0, 60));
      t.equal(reason, typeof expected.code === 'string' ? expected.code : undefined);
    }
  });

  t.test('an operation with its own success code accepts no other', async (t) => {
    const { send } = await service(t, envelope(200, { code: 200, data: { a: 1 } }));
    t.strictSame(await send({ ...read, successCode: 200 }, {}), { a: 1 });
    const other = await service(t, envelope(200, { code: 0, data: { a: 1 } }));
    t.hasStrict(await refusal(other.send({ ...read, successCode: 200 }, {})), { code: -10000, status: 200 });
  });

  t.test('requests have path parameters, query and headers', async (t) => {
    const { send, seen } = await service(t, envelope(200, { code: 0, data: {} }));
    const operation = { ...read, path: '/api/{key}/y', params: ['key'] };
    await send(operation, { key: 'a/b c', word: '字 &', page: 0, none: undefined });
    t.equal(seen[0]?.method, 'GET');
    t.equal(seen[0]?.url, '/api/a%2Fb%20c/y?word=%E5%AD%97+%26&page=0');
    t.hasStrict(seen[0]?.headers, {
      'x-requested-with': 'plugin-square',
      'x-page-path': '/plugins/',
      accept: 'application/json',
      'cache-control': 'no-cache',
    });
    t.notOk(seen[0]?.headers['content-type']);
  });

  t.test('requests have a JSON body, also with DELETE', async (t) => {
    const { send, seen } = await service(t, envelope(200, { code: 0, data: {} }));
    await send({ ...write, method: 'DELETE' }, { plugin_key: 'abcdefgh', none: undefined });
    t.equal(seen[0]?.method, 'DELETE');
    t.equal(seen[0]?.headers['content-type'], 'application/json');
    t.equal(seen[0]?.body, '{"plugin_key":"abcdefgh"}');
  });

  t.test('requests have a form with files, lists and structured fields', async (t) => {
    const { send, seen } = await service(t, envelope(200, { code: 0, data: {} }));
    const file = new File(['{}'], 'code.json');
    await send({ ...write, in: 'multipart' }, { code: file, tag: [1, 2], name: { 'en-US': 'A' } });
    t.match(seen[0]?.headers['content-type'], /^multipart\/form-data; boundary=/);
    const body = seen[0]?.body ?? '';
    t.match(body, 'name="code"; filename="code.json"');
    t.equal(body.split('name="tag"').length, 2);
    t.match(body, '[1,2]');
    t.match(body, '{"en-US":"A"}');
  });

  t.test('an error has its code, its details and the time to retry', async (t) => {
    const errors = [{ pointer: '/email', message: 'is not valid' }];
    const invalid = await service(t, envelope(400, { code: 'VALIDATION_FAILED', message: '', errors }));
    t.hasStrict(await refusal(invalid.send(write, {})), {
      code: 'VALIDATION_FAILED',
      reason: 'VALIDATION_FAILED',
      status: 400,
      details: errors,
    });
    const limited = await service(
      t,
      envelope(429, { code: 'TOO_MANY_REQUESTS', message: '' }, { 'retry-after': '42' }),
    );
    t.hasStrict(await refusal(limited.send(write, {})), { code: 'TOO_MANY_REQUESTS', retryAfter: 42 });
  });

  t.test(
    'HTTP 401 is code 401 whatever the body says; a rejected password does not end the session',
    async (t) => {
      const ended = await service(t, envelope(401, { code: 'SESSION_ENDED', message: '' }));
      const error = await refusal(ended.send(read, {}));
      t.hasStrict(error, { code: 401, reason: 'SESSION_ENDED', status: 401 });
      t.equal(isUnauthenticated(error), true);
      const page = await service(t, (response) => response.writeHead(401).end('<html>'));
      t.hasStrict(await refusal(page.send(read, {})), { code: 401, reason: undefined });
      const refused = await service(t, envelope(401, { code: 'CREDENTIALS_INVALID', message: '' }));
      const wrong = await refusal(refused.send(write, {}));
      t.hasStrict(wrong, { code: 401, reason: 'CREDENTIALS_INVALID' });
      t.equal(isUnauthenticated(wrong), false);
    },
  );

  t.test('without a usable response the code is -10000', async (t) => {
    const html = await service(t, (response) => response.writeHead(502).end('<html>bad gateway'));
    t.hasStrict(await refusal(html.send(read, {})), { code: -10000, status: 502 });
    const cut = await service(t, (response) => response.destroy());
    t.hasStrict(await refusal(cut.send(read, {})), { code: -10000, status: 0 });
    const slow = await service(t, () => undefined, 50);
    t.hasStrict(await refusal(slow.send(read, {})), { code: -10000, status: 0 });
    const moved = await service(t, (response) => response.writeHead(302, { location: '/y' }).end());
    t.hasStrict(
      await refusal(moved.send(read, {})),
      { code: -10000, status: 0 },
      'a redirect is not followed',
    );
  });

  t.test('a cancelled call resolves without an error', async (t) => {
    const { send, seen } = await service(t, () => undefined);
    const abort = new AbortController();
    const sent = send(read, {}, { signal: abort.signal });
    await until(() => seen.length > 0);
    abort.abort();
    const answer = await sent;
    t.equal(isCancelled(answer), true);
    t.strictSame(answer, { cancelled: true, message: 'canceled' });
  });
});

t.test('multipart form', async (t) => {
  const file = new File(['{}'], 'code.json');

  t.test('a form has texts as they are, structures as JSON, files as files', async (t) => {
    const form = multipartForm({
      name: { 'en-US': 'A' },
      tags: [],
      contact: 'a',
      based_on: 7,
      code: file,
      media: [file, file],
      none: undefined,
      nothing: null,
    });
    t.strictSame([...new Set(form.keys())], ['name', 'tags', 'contact', 'based_on', 'code', 'media']);
    t.equal(form.get('name'), '{"en-US":"A"}');
    t.equal(form.get('tags'), '[]', 'an empty list is sent too');
    t.equal(form.get('contact'), 'a');
    t.equal(form.get('based_on'), '7');
    t.equal(form.getAll('media').length, 2);
    const sent = form.get('code');
    t.equal(sent instanceof File && sent.name, 'code.json');
  });
});

t.test('operations', async (t) => {
  const { operations, shapes } = operationTables(contract);
  const base = { service: 'community', access: 'all', summary: 'A call' } as const;

  t.test('every operation of the contract is in the table with its URL', async (t) => {
    t.strictSame(Object.keys(operations), Object.keys(contract));
    t.strictSame(operations.listPlugins, {
      method: 'GET',
      path: '/api/cmt/plugin/list',
      in: 'query',
      open: true,
      params: [],
    });
    t.strictSame(operations.uninstallPlugin, {
      method: 'DELETE',
      path: '/api/cmt/plugin/user',
      in: 'body',
      open: false,
      params: [],
    });
  });

  t.test('an operation’s own success code is in the table', async (t) => {
    t.equal(operations.readActivity?.successCode, 200);
    t.notHas(operations.listPlugins, { successCode: 200 });
  });

  t.test('operations with data have a response shape', async (t) => {
    for (const [operation, route] of Object.entries<Route>(contract)) {
      t.equal(shapes[operation] === undefined, route.data === undefined, operation);
    }
  });

  t.test('every {key} of a path is a parameter', async (t) => {
    for (const [operation, { path, params }] of Object.entries(operations)) {
      const keys = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      t.strictSame(params, keys, operation);
    }
  });

  t.test('a multipart route is marked as such', async (t) => {
    const upload = route({
      ...base,
      method: 'POST',
      path: '/api/cmt/x',
      multipart: true,
      body: Type.Object({ file: Type.String() }),
    });
    t.equal(wireOperation(upload).in, 'multipart');
  });

  t.test('the tables contain no schema', async (t) => {
    t.notMatch(JSON.stringify({ operations, shapes }), /"type"|"properties"|"pattern"/);
  });
});
