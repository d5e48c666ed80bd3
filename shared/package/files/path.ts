import type { FindingCode } from '../finding-codes.ts';

const PATH_MAX = 200;
/** Characters that some file systems refuse, or that cannot be seen. */
const UNFIT = /[<>:"|?*\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Names that mean a device on some computers, with or without an ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * A path inside a package as it resolves, "./" in front stripped; or the code of what is wrong with it
 * (design section 7, rule 2).
 */
export function resolvePath(path: string): { name: string } | { code: FindingCode } {
  if (path.includes('\\')) return { code: 'FILE_PATH_BACKSLASH' };
  if (path.startsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(path)) return { code: 'FILE_PATH_ABSOLUTE' };
  const name = path.replace(/^(?:\.\/)+/, '');
  const segments = name.split('/');
  if (segments.includes('..')) return { code: 'FILE_PATH_PARENT' };
  const isName = path.length <= PATH_MAX && segments.every(isSegment) && !UNFIT.test(name);
  return isName ? { name } : { code: 'FILE_PATH_INVALID' };
}

function isSegment(segment: string): boolean {
  return segment !== '' && segment !== '.' && !/[. ]$|^ /.test(segment) && !DEVICE.test(segment);
}

/** What a path is to a file system that does not tell case or composition of letters. */
export function foldPath(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

export function isScript(name: string): boolean {
  return /\.[cm]?js$/i.test(name);
}
