import { appError } from '../../http/errors.ts';
import { decodedSegments } from './path.ts';

/** Paths of the admin area that have no manager variant (specification section 6). */
const WITHOUT_VARIANT: ReadonlySet<string> = new Set(['user/admininfo', 'upload/picture']);

/** Whether a page path (the X-Page-Path header) lies in the admin area (design section 4). */
export function isAdminArea(pagePath: unknown): boolean {
  if (typeof pagePath !== 'string') return false;
  const segments = decodedSegments(pagePath);
  if (!segments) return false;
  const isBackstage = segments[0] === 'plugins' && segments[1] === 'backstage-index';
  return isBackstage || segments.some((segment) => segment.startsWith('admin'));
}

/** Begins as the manager segment does, for a service that looks no further than path parameters, suffixes or blanks. */
const LIKE_MANAGER = /^[^\p{L}\p{N}]*manager(?![\p{L}\p{N}_-])/u;

/**
 * Whether a decoded segment opens the manager variant; services may look at it without case.
 * @throws AppError BAD_PATH for one that is no such segment here and may be one to a service
 */
function isManagerSegment(segment: string): boolean {
  if (segment.toLowerCase() === 'manager') return true;
  const read = segment
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();
  if (LIKE_MANAGER.test(read)) throw appError('BAD_PATH');
  return false;
}

/** A help-center call as it goes on. */
export type HelpcenterCall = {
  segments: readonly string[];
  adminOnly: boolean;
  /** The answer tells of a user, as `answersUser` of the contract. */
  answersUser: boolean;
};

/**
 * The help-center path that is asked for: rewritten to its manager variant for a page of the admin area, and whether it
 * takes an administrator. A manager path takes one whoever names it, so that leaving out the header opens nothing.
 * @throws AppError BAD_PATH
 */
export function helpcenterPath(segments: readonly string[], pagePath: unknown): HelpcenterCall {
  const [api = '', helpcenter = '', ...rest] = segments;
  const named = rest.filter(isManagerSegment);
  const answersUser = rest.find((segment) => !named.includes(segment)) === 'user';
  if (named.length > 0) return { segments, adminOnly: true, answersUser };
  if (!isAdminArea(pagePath) || WITHOUT_VARIANT.has(rest.join('/'))) {
    return { segments, adminOnly: false, answersUser };
  }
  return { segments: [api, helpcenter, 'manager', ...rest], adminOnly: true, answersUser };
}
