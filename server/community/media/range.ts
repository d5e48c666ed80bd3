import type { ByteRange } from './files.ts';

/**
 * Reads a Range header of one range of bytes (RFC 9110 section 14.1.2).
 * @returns undefined when the whole file is to be sent, which is also the answer to several ranges and to what is no
 * range; 'unsatisfiable' when the range lies behind the end
 */
export function rangeOf(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(bytes - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (first !== '' && last !== '' && Number(last) < start) return undefined;
  return start < bytes && start <= end ? { start, end } : 'unsatisfiable';
}
