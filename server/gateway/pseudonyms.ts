import { createHmac, hkdfSync } from 'node:crypto';
import { boundedMap } from '../memory/bounded-map.ts';
import { type Session, sessionHash } from './session/session.ts';

export type Pseudonyms = { user: string; session: string };

const REMEMBERED = 10_000;

/**
 * Names for the log that stand for a person and a session and lead back to neither. The person's is keyed (HMAC-SHA-256
 * under a key derived from the first session key), because user ids are few enough to try them all; gateways with the same
 * keys write the same name.
 */
export function createPseudonyms(keys: readonly Buffer[]): (session: Session) => Pseudonyms {
  const [master] = keys;
  if (!master) throw new Error('names for the log need a key');
  const key = Buffer.from(hkdfSync('sha256', master, '', 'plugin-square log', 32));
  const known = boundedMap<Pseudonyms>({ limit: REMEMBERED });

  return (session) => {
    const found = known.get(session.id);
    if (found) return found;
    const user = createHmac('sha256', key)
      .update(String(session.user.user_id))
      .digest('base64url')
      .slice(0, 16);
    const names = { user, session: sessionHash(session) };
    known.set(session.id, names);
    return names;
  };
}
