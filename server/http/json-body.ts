import type { FastifyInstance } from 'fastify';
import { appError } from './errors.ts';

/** No body of the contract is nested deeper; whatever walks a value may do so recursively. */
const DEPTH_MAX = 32;

/**
 * Reads JSON bodies with Fastify's parser, if they are not nested too deeply (R 10.26). `mayBeEmpty`: an empty body is no
 * body, because clients send `Content-Type: application/json` also without one.
 */
export function readJsonBodies(app: FastifyInstance, { mayBeEmpty }: { mayBeEmpty: boolean }): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '' && mayBeEmpty) done(null, undefined);
    else if (isDeeperThan(body, DEPTH_MAX)) done(appError('BODY_TOO_DEEP'));
    else parse(request, body, done);
  });
}

/** Whether a text that may be JSON has more open brackets at once. */
function isDeeperThan(json: string, max: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at];
    if (sign === '"') at = endOfString(json, at);
    else if (sign === ']' || sign === '}') depth -= 1;
    else if (sign === '[' || sign === '{') depth += 1;
    if (depth > max) return true;
  }
  return false;
}

/** The place of the closing quotation mark; the end of the text if there is none. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}
