/**
 * Steps that must not be torn apart (Redis runs a script as one). Keys of the refresh scripts: lock, newest, revoked.
 */

/** ARGV: own generation, token, lease. Answers what to do: adopt the newer copy, give up, refresh, or wait. */
export const TAKE = `
local generation = redis.call('HGET', KEYS[2], 'generation')
if generation and tonumber(generation) > tonumber(ARGV[1]) then
  return {'newer', redis.call('HGET', KEYS[2], 'sealed')}
end
if redis.call('EXISTS', KEYS[3]) == 1 then return {'ended', ''} end
if redis.call('SET', KEYS[1], ARGV[2], 'NX', 'PX', ARGV[3]) then return {'taken', ''} end
return {'wait', ''}`;

/** KEYS: lock; ARGV: token, lease. */
export const RENEW = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0`;

/** KEYS: lock; ARGV: token. */
export const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

/**
 * ARGV: own generation, token, sealed copy, its life. Whoever has lost his lease to somebody quicker does not overwrite
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

/** KEYS: a counter; ARGV: window, amount. Answers the count and the milliseconds left of the window. */
export const COUNT = `
local count = redis.call('INCRBY', KEYS[1], ARGV[2])
if count == tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}`;
