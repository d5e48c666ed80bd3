import type { PublishRules } from '../../../../shared/entities/review.ts';

const MINUTE = 60;
const HOUR = 3600;
/** Shares of a limit from which people are told. */
const NEAR_LIMIT = 0.7;
const NEAR_QUOTA = 0.8;

type NearLimit = { window: 'hour' | 'day'; left: number };

/** The limit that will be reached first, when most of it is used. */
export function nearLimit({ is_limited, limits }: PublishRules): NearLimit | undefined {
  if (!is_limited) return undefined;
  const near = limits
    .filter(({ max, used, window_seconds }) => window_seconds > MINUTE && used >= max * NEAR_LIMIT)
    .map(({ max, used, window_seconds }) => ({ left: Math.max(0, max - used), window_seconds }))
    .sort((a, b) => a.left - b.left)[0];
  if (!near) return undefined;
  return { left: near.left, window: near.window_seconds <= HOUR ? 'hour' : 'day' };
}

/** True when most of the space for files is used. */
export function nearQuota({ is_limited, used_bytes, quota_bytes }: PublishRules): boolean {
  return is_limited && used_bytes >= quota_bytes * NEAR_QUOTA;
}
