import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERRORS, type ErrorCode } from '../../shared/errors.ts';
import { errorEnvelope } from './errors.ts';

/** Error codes of Node's HTTP parser other than MALFORMED_REQUEST. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'BODY_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** The error code of an HTTP parser error. */
export function malformedCode(error: unknown): ErrorCode {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return CODES[code] ?? 'MALFORMED_REQUEST';
}

/** The complete HTTP response to a malformed request; it contains nothing of the request. */
function responseText(code: ErrorCode): string {
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
 * Answers a malformed request and closes the connection. Further data is discarded for a moment: closing a connection
 * with unread data would discard the response (RFC 9112 section 9.6). `timeout`: milliseconds that a client has to read it.
 */
export function refuseMalformed(socket: Duplex, code: ErrorCode, timeout: number): void {
  socket.removeAllListeners('data');
  socket.on('error', () => undefined);
  socket.end(responseText(code));
  socket.resume();
  setTimeout(() => socket.destroy(), timeout).unref();
}

/** Limits for the rest of a refused body; the time in milliseconds. */
const DISCARD_TIMEOUT = 30_000;
const DISCARD_BYTES = 64 * 1024 * 1024;

/**
 * Discards the rest of a refused body, so that the client reads the response: closing a connection with unread data
 * would discard it (RFC 9112 section 9.6). Above the limits the connection is destroyed.
 */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let left = DISCARD_BYTES;
  const cut = (): void => void request.socket.destroy();
  const timer = setTimeout(cut, DISCARD_TIMEOUT).unref();
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
