import { appError } from '../http/errors.ts';

/** The id of the last row of a page as an opaque text. */
export function encodeCursor(id: number): string {
  return Buffer.from(String(id)).toString('base64url');
}

/** @throws BAD_CURSOR for a text that `encodeCursor` did not create */
export function decodeCursor(cursor: string): number {
  const id = Number(/^[1-9]\d{0,14}$/.exec(Buffer.from(cursor, 'base64url').toString())?.[0]);
  if (Number.isNaN(id) || encodeCursor(id) !== cursor) throw appError('BAD_CURSOR');
  return id;
}
