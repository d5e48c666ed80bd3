import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { cookieHeader } from '../../support/browser.ts';
import { statusOf } from '../../support/raw-request.ts';
import { streaming } from '../../support/stub-upstream.ts';
import type { Check, Context } from '../check.ts';
import { ARTICLE, holds, same } from '../expect.ts';
import { requestHead } from './paths.ts';

const UPLOAD = '/api/helpcenter/upload/picture';
const MB = 1024 * 1024;
/** Maximum bytes of an unread body in the gateway and its sockets. */
const HELD = 16 * MB;

/** Request and response bodies: limits, streaming, aborts. */
export const bodyChecks: readonly Check[] = [
  {
    id: 'R 10.7',
    title: 'a body over the limit is 413, by length or by counting; uploads and downloads are not buffered',
    async run(context) {
      const browser = await context.signedIn();
      const cookie = cookieHeader(browser.cookies);
      const path = '/api/cmt/plugin/user/praise';
      const post = `${requestHead('POST', path, context)}Cookie: ${cookie}\r\n`;
      const declared = await context.raw(`${post}Content-Length: ${2 * MB}\r\n\r\n`);
      same(statusOf(declared), 413, 'a length over the limit');
      const chunk = `${MB.toString(16)}\r\n${'x'.repeat(MB)}\r\n`;
      const counted = await context.raw(
        `${post}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}0\r\n\r\n`,
        2000,
      );
      same(statusOf(counted), 413, 'chunks over the limit');
      holds(
        (await acceptedOfUpload(context)) < HELD,
        'an upload is buffered while the service does not read it',
      );
      holds(
        (await readOfDownload(context)) < HELD,
        'a download is buffered while the client does not read it',
      );
    },
  },
  {
    id: 'R 10.8',
    title: 'aborts are propagated; streams are not buffered; a truncated response is aborted',
    async run(context) {
      for (const withHead of [false, true]) await abortReaches(context, withHead);
      await streamFlows(context);
      for (const length of ['content-length', 'x-none']) {
        context.upstream.on(`GET ${ARTICLE}`, (_seen, response) => {
          response.writeHead(200, { [length]: '1000' }).write('half', () => response.destroy());
          return undefined;
        });
        const whole = await context.call(ARTICLE).then(
          (answer) => answer.text,
          () => 'broken',
        );
        same(whole, 'broken', 'a truncated response');
      }
    },
  },
];

/** A target that has answered this many other calls had time for the awaited event: independent of its speed. */
const CALLS_MEANWHILE = 40;

/** Whether an event happens before the target has answered other calls, one after the other. */
async function happens(context: Context, event: Promise<unknown>): Promise<boolean> {
  let hasHappened = false;
  event.then(
    () => {
      hasHappened = true;
    },
    () => undefined,
  );
  for (let call = 0; call < CALLS_MEANWHILE && !hasHappened; call += 1)
    await context.call('/api/auth/session').catch(() => undefined);
  return hasHappened;
}

function connectTo({ target }: Context): Socket {
  const { hostname, port } = new URL(target.url);
  return connect(Number(port), hostname).on('error', () => undefined);
}

/** Bytes of an upload that the target accepts while the service does not read it. */
async function acceptedOfUpload(context: Context): Promise<number> {
  const ended = Promise.withResolvers<void>();
  context.upstream.on(
    `POST ${UPLOAD}`,
    streaming(async (_seen, response) => {
      await ended.promise;
      response.destroy();
      return undefined;
    }),
  );
  const socket = connectTo(context);
  await once(socket, 'connect');
  const length = `Content-Type: image/png\r\nContent-Length: ${200 * MB}\r\n\r\n`;
  socket.write(requestHead('POST', UPLOAD, context) + length);
  const block = Buffer.alloc(64 * 1024);
  let stalled = false;
  while (!stalled && socket.bytesWritten < 200 * MB) {
    if (socket.write(block)) continue;
    stalled = !(await happens(context, once(socket, 'drain')));
  }
  const accepted = socket.bytesWritten - socket.writableLength;
  socket.destroy();
  ended.resolve();
  return accepted;
}

/** Bytes of a download that the target reads from the service while the client does not read them. */
async function readOfDownload(context: Context): Promise<number> {
  const read = Promise.withResolvers<number>();
  context.upstream.on(`GET ${ARTICLE}`, async (_seen, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    const block = Buffer.alloc(64 * 1024);
    let sent = 0;
    let stalled = false;
    while (!stalled && sent < 200 * MB && !response.destroyed) {
      sent += block.length;
      if (response.write(block)) continue;
      stalled = !(await happens(context, once(response, 'drain')));
    }
    read.resolve(sent);
    response.destroy();
    return undefined;
  });
  const socket = connectTo(context);
  socket.pause();
  socket.write(`${requestHead('GET', ARTICLE, context)}\r\n`);
  const sent = await read.promise;
  socket.destroy();
  return sent;
}

async function abortReaches(context: Context, withHead: boolean): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  context.upstream.on(
    `POST ${ARTICLE}`,
    streaming((_seen, response) => {
      if (withHead) response.writeHead(200).write('x');
      response.once('close', aborted.resolve);
      arrived.resolve();
      return undefined;
    }),
  );
  const socket = connectTo(context);
  socket.write(`${requestHead('POST', ARTICLE, context)}Content-Length: 0\r\n\r\n`);
  await happens(context, withHead ? once(socket, 'data') : arrived.promise);
  socket.destroy();
  const when = withHead ? 'after' : 'before';
  holds(
    await happens(context, aborted.promise),
    `an abort of the client ${when} the response head does not reach the service`,
  );
}

/** The first event arrives before the service has sent the second. */
async function streamFlows(context: Context): Promise<void> {
  const ended = Promise.withResolvers<void>();
  context.upstream.on(`GET ${ARTICLE}`, async (_seen, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    await ended.promise;
    response.end();
    return undefined;
  });
  const socket = connectTo(context);
  socket.write(`${requestHead('GET', ARTICLE, context)}\r\n`);
  let received = '';
  const read = async () => {
    for await (const chunk of socket) {
      received += String(chunk);
      if (received.includes('data: 1')) return;
    }
  };
  await happens(context, read());
  socket.destroy();
  ended.resolve();
  holds(received.includes('data: 1'), 'the first event of a stream is buffered');
}
