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

/**
 * The help-center path that is asked for: rewritten to its manager variant for a page of the admin area, and whether it
 * takes an administrator. A manager path takes one whoever names it, so that leaving out the header opens nothing.
 */
export function helpcenterPath(
  segments: readonly string[],
  pagePath: unknown,
): { segments: readonly string[]; adminOnly: boolean } {
  const [api = '', helpcenter = '', ...rest] = segments;
  const isManager = rest.some((segment) => segment.toLowerCase() === 'manager');
  if (isManager) return { segments, adminOnly: true };
  if (!isAdminArea(pagePath) || WITHOUT_VARIANT.has(rest.join('/'))) return { segments, adminOnly: false };
  return { segments: [api, helpcenter, 'manager', ...rest], adminOnly: true };
}
