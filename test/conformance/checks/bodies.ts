import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { cookieHeader } from '../../support/browser.ts';
import { statusOf } from '../../support/raw-request.ts';
import { streaming } from '../../support/stub-upstream.ts';
import type { Check, Context } from '../check.ts';
import { ARTICLE, holds, same } from '../expect.ts';
import { requestHead } from './paths.ts';

const UPLOAD = '/api/helpcenter/upload/picture';
const MB = 1024 * 1024;
/** Bytes that a gateway and the sockets on its way may hold of a body that nobody reads. */
const HELD = 16 * MB;

/** Bodies and answers as they flow. */
export const bodyChecks: readonly Check[] = [
  {
    id: '29',
    title: 'a body over the limit is 413 by its length or counted; uploads and downloads are not kept',
    async run(context) {
      const opened = await context.signedIn();
      const cookie = cookieHeader(opened.cookies);
      const path = '/api/cmt/plugin/user/praise';
      const post = `${requestHead('POST', path, context)}Cookie: ${cookie}\r\n`;
      const told = await context.raw(`${post}Content-Length: ${2 * MB}\r\n\r\n`);
      same(statusOf(told), 413, 'a length over the limit');
      const chunk = `${MB.toString(16)}\r\n${'x'.repeat(MB)}\r\n`;
      const counted = await context.raw(
        `${post}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}0\r\n\r\n`,
        2000,
      );
      same(statusOf(counted), 413, 'chunks over the limit');
      holds((await takenOfUpload(context)) < HELD, 'an upload is kept while the service does not read it');
      holds((await givenOfDownload(context)) < HELD, 'a download is kept while the client does not read it');
    },
  },
  {
    id: '30',
    title: 'aborts reach the other side within a second; streams flow; a broken answer breaks off',
    async run(context) {
      for (const withHead of [false, true]) await abortReaches(context, withHead);
      await streamFlows(context);
      for (const length of ['content-length', 'x-none']) {
        context.upstream.on(`GET ${ARTICLE}`, (_seen, response) => {
          response.writeHead(200, { [length]: '1000' }).write('half');
          setTimeout(() => response.destroy(), 50);
          return undefined;
        });
        const whole = await context.call(ARTICLE).then(
          (answer) => answer.text,
          () => 'broken',
        );
        same(whole, 'broken', 'a truncated answer');
      }
    },
  },
];

/** Other calls that are answered in the meantime: whoever has answered those had time to go on with this one. */
const CALLS_MEANWHILE = 40;

/** Whether more is taken before the target has answered other calls, one after the other. */
async function goesOn(context: Context, drained: Promise<unknown>): Promise<boolean> {
  let isDrained = false;
  drained.then(
    () => {
      isDrained = true;
    },
    () => undefined,
  );
  for (let call = 0; call < CALLS_MEANWHILE && !isDrained; call += 1)
    await context.call('/api/auth/session').catch(() => undefined);
  return isDrained;
}

/** Bytes of an upload that are taken from the client while the service reads none of it. */
async function takenOfUpload(context: Context): Promise<number> {
  const ended = Promise.withResolvers<void>();
  context.upstream.on(
    `POST ${UPLOAD}`,
    streaming(async (_seen, response) => {
      await ended.promise;
      response.destroy();
      return undefined;
    }),
  );
  const { hostname, port } = new URL(context.target.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const length = `Content-Type: image/png\r\nContent-Length: ${200 * MB}\r\n\r\n`;
  socket.write(requestHead('POST', UPLOAD, context) + length);
  const block = Buffer.alloc(64 * 1024);
  let stalled = false;
  while (!stalled && socket.bytesWritten < 200 * MB) {
    if (socket.write(block)) continue;
    stalled = !(await goesOn(context, once(socket, 'drain')));
  }
  const taken = socket.bytesWritten - socket.writableLength;
  socket.destroy();
  ended.resolve();
  return taken;
}

/** Bytes of a download that are taken from the service while the client reads none of it. */
async function givenOfDownload(context: Context): Promise<number> {
  const given = Promise.withResolvers<number>();
  context.upstream.on(`GET ${ARTICLE}`, async (_seen, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    const block = Buffer.alloc(64 * 1024);
    let sent = 0;
    let stalled = false;
    while (!stalled && sent < 200 * MB && !response.destroyed) {
      sent += block.length;
      if (response.write(block)) continue;
      stalled = !(await goesOn(context, once(response, 'drain')));
    }
    given.resolve(sent);
    response.destroy();
    return undefined;
  });
  const { hostname, port } = new URL(context.target.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(`${requestHead('GET', ARTICLE, context)}\r\n`);
  const sent = await Promise.race([given.promise, delay(10_000, Number.POSITIVE_INFINITY)]);
  socket.destroy();
  return sent;
}

async function abortReaches(context: Context, withHead: boolean): Promise<void> {
  const left = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  context.upstream.on(
    `POST ${ARTICLE}`,
    streaming((_seen, response) => {
      if (withHead) response.writeHead(200).write('x');
      response.once('close', left.resolve);
      arrived.resolve();
      return undefined;
    }),
  );
  const controller = new AbortController();
  const call = context.call(ARTICLE, { method: 'POST', signal: controller.signal }).catch(() => undefined);
  await Promise.race([arrived.promise, delay(2000)]);
  await delay(100);
  controller.abort();
  await call;
  const when = withHead ? 'after' : 'before';
  const followed = await Promise.race([left.promise.then(() => true), delay(1000, false)]);
  holds(followed, `a client that leaves ${when} the head of the answer is not followed within a second`);
}

/** The first event arrives while the service still holds the second. */
async function streamFlows(context: Context): Promise<void> {
  const ended = Promise.withResolvers<void>();
  context.upstream.on(`GET ${ARTICLE}`, async (_seen, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    await ended.promise;
    response.end();
    return undefined;
  });
  const { hostname, port } = new URL(context.target.url);
  const socket = connect(Number(port), hostname);
  socket.write(`${requestHead('GET', ARTICLE, context)}\r\n`);
  let received = '';
  const read = async () => {
    for await (const chunk of socket) {
      received += String(chunk);
      if (received.includes('data: 1')) return;
    }
  };
  await Promise.race([read().catch(() => undefined), delay(20_000, undefined, { ref: false })]);
  socket.destroy();
  ended.resolve();
  holds(received.includes('data: 1'), 'the first event of a stream is held back');
}
