import { hash } from 'node:crypto';

type SharedName = 'revoked' | 'revoked-all' | 'used' | 'newest' | 'lock' | 'count' | 'session';

/**
 * Name of an entry: what it is about is hashed, because ids of sessions, users and sign-ins are nobody's business
 * there. The braces keep the entries of one session on one node of a cluster.
 */
export function sharedName(kind: SharedName, about: string): string {
  return `plugin-square:{${hash('sha256', about, 'base64url')}}:${kind}`;
}

/**
 * Steps that must not be torn apart (Redis runs a script as one) and may be repeated when their answer was lost. Keys of
 * the refresh scripts: lock, newest, revoked.
 */

/**
 * ARGV: own generation, token, lease, whether a free lock may be taken. Answers what to do: give up, adopt the newer copy,
 * refresh, or wait. Whoever holds the lock renews it so, and takes it back from a restarted Redis that has forgotten it.
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

/**
 * ARGV: own generation, token, encrypted copy, its life. Whoever has lost their lease to somebody quicker does not overwrite
 * what that one has published, but gets it.
 */
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
 * KEYS: an entry; ARGV: a number, its life. Of two numbers the larger stays, of two lives the longer: entries are written again
 * after Redis was away, when others may have written more.
 */
export const SET_MAX = `
local known = tonumber(redis.call('GET', KEYS[1]) or '0')
local life = math.max(redis.call('PTTL', KEYS[1]), tonumber(ARGV[2]))
redis.call('SET', KEYS[1], string.format('%.0f', math.max(known, tonumber(ARGV[1]))), 'PX', life)
return 1`;

/** KEYS: a counter; ARGV: window. Answers the count and the milliseconds left of the window. */
export const COUNT = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}`;
