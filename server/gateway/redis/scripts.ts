import { hash } from 'node:crypto';

type SharedName = 'revoked' | 'revoked-all' | 'used' | 'newest' | 'lock' | 'count' | 'session';

/** Redis key of an entry, without the plain id. The braces keep a session on one node of a cluster. */
export function sharedName(kind: SharedName, id: string): string {
  return `plugin-square:{${hash('sha256', id, 'base64url')}}:${kind}`;
}

// The scripts are atomic, and idempotent because they are repeated if a reply is lost.
// KEYS of the refresh scripts: lock, newest, revoked.

/**
 * ARGV: own generation, token, lease, whether a free lock may be taken. Returns the next step: stop, adopt the newer
 * copy, refresh, or wait. The holder renews its lock with it, and restores it after a restart of Redis.
 */
export const TAKE = `
if redis.call('EXISTS', KEYS[3]) == 1 then return {'ended', ''} end
local generation = redis.call('HGET', KEYS[2], 'generation')
if generation and tonumber(generation) > tonumber(ARGV[1]) then
  return {'newer', redis.call('HGET', KEYS[2], 'sealed')}
end
local holder = redis.call('GET', KEYS[1])
if holder == ARGV[2] or (not holder and ARGV[4] == '1') then
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
  return {'taken', ''}
end
return {'wait', ''}`;

/** ARGV: token. */
export const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

/** ARGV: own generation, token, encrypted copy, its TTL. After a lost lease a newer copy is adopted. */
export const PUBLISH = `
if redis.call('GET', KEYS[1]) == ARGV[2] then redis.call('DEL', KEYS[1]) end
if redis.call('EXISTS', KEYS[3]) == 1 then return {'ended', ''} end
local generation = redis.call('HGET', KEYS[2], 'generation')
if generation and tonumber(generation) >= tonumber(ARGV[1]) then
  return {'newer', redis.call('HGET', KEYS[2], 'sealed')}
end
redis.call('HSET', KEYS[2], 'generation', ARGV[1], 'sealed', ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return {'published', ''}`;

/**
 * KEYS: an entry; ARGV: a number, its TTL. Keeps the larger number and the longer TTL: after an outage entries are
 * written again, and other gateways may have written newer ones.
 */
export const SET_MAX = `
local known = tonumber(redis.call('GET', KEYS[1]) or '0')
local life = math.max(redis.call('PTTL', KEYS[1]), tonumber(ARGV[2]))
redis.call('SET', KEYS[1], string.format('%.0f', math.max(known, tonumber(ARGV[1]))), 'PX', life)
return 1`;

/** KEYS: a counter; ARGV: window. Returns the count and the remaining milliseconds of the window. */
export const COUNT = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}`;
