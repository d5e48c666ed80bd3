import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERRORS, type ErrorCode } from '../../shared/errors.ts';
import { errorEnvelope } from './errors.ts';

/** What Node's parser says, where it is more than that the request cannot be read. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'BODY_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** Milliseconds that a client has to read the answer before its connection is cut. */
const ANSWER_READ_WITHIN = 1000;

/** The code that stands for what is wrong with bytes that are no HTTP request. */
export function malformedCode(error: unknown): ErrorCode {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return CODES[code] ?? 'MALFORMED_REQUEST';
}

/** The whole answer to a request that could not be read; nothing of what was sent is in it. */
function answerText(code: ErrorCode): string {
  const { status } = ERRORS[code];
  const body = JSON.stringify(errorEnvelope(code));
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/**
 * Answers bytes that are no request and ends the connection. What the client still sends is read and thrown away for a
 * moment: a connection cut with unread bytes takes its answer with it.
 */
export function refuseMalformed(socket: Duplex, code: ErrorCode): void {
  socket.removeAllListeners('data');
  socket.on('error', () => undefined);
  socket.end(answerText(code));
  socket.resume();
  setTimeout(() => socket.destroy(), ANSWER_READ_WITHIN).unref();
}

/** How long, milliseconds, and how much a client may go on sending after it was refused. */
const LINGER = 30_000;
const LINGER_BYTES = 64 * 1024 * 1024;

/**
 * Lets a client that is still sending read the refusal: a connection cut with unread bytes takes its answer with it
 * (RFC 9112 section 9.6). What comes is thrown away; who does not end is cut off.
 */
export function linger(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let left = LINGER_BYTES;
  const cut = (): void => void request.socket.destroy();
  const timer = setTimeout(cut, LINGER).unref();
  request.unpipe();
  request.on('error', () => undefined);
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) cut();
  });
  request.once('end', () => clearTimeout(timer));
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
