import { randomBytes } from 'node:crypto';
import { type SeenRequest, type StubUpstream, stubAnswer } from '../support/stub-upstream.ts';
import { USER } from '../support/user-service.ts';

/** A scripted user service with any number of users, and every secret that it has issued. */
export type People = {
  /** Tokens and codes, which must never leave the gateway. */
  secrets: string[];
  /** Lifetime of access tokens, in seconds. */
  lifetime: number;
  /** Bytes added to every access token, to make sessions large. */
  padding: number;
  /** Lead of the service's clock over the gateway's, in milliseconds. */
  ahead: number;
  /** Whether refresh tokens are one-time. */
  rotates: boolean;
  /** A refresh waits for it after its tokens were created. */
  beforeRefreshed: () => Promise<void>;
  /** The refusal of a refresh waits for it. */
  beforeRefused: () => Promise<void>;
  /** Number of refreshes by user. */
  refreshes: Map<number, number>;
  totalRefreshes(): number;
};

const CODE = /^person-(\d+)$/;

/** The user of a request's bearer token; 0 without one. */
export function personOf({ headers }: Pick<SeenRequest, 'headers'>): number {
  const payload = headers.authorization?.split('.')[1];
  if (payload === undefined) return 0;
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  return typeof claims === 'object' && claims !== null && 'sub' in claims ? Number(claims.sub) : 0;
}

/** Scripts a user service (R 14.43 to 14.53). */
export function scriptPeople(identity: StubUpstream): People {
  const refreshes = new Map<number, number>();
  const owners = new Map<string, number>();
  const people: People = {
    secrets: [],
    lifetime: 900,
    padding: 0,
    ahead: 0,
    rotates: true,
    beforeRefreshed: async () => undefined,
    beforeRefused: async () => undefined,
    refreshes,
    totalRefreshes: () => [...refreshes.values()].reduce((sum, count) => sum + count, 0),
  };
  const remember = (secret: string): string => {
    people.secrets.push(secret);
    return secret;
  };
  function tokens(person: number) {
    const exp = Math.floor((Date.now() + people.ahead) / 1000) + people.lifetime;
    const payload = Buffer.from(JSON.stringify({ sub: String(person), exp })).toString('base64url');
    const refresh = remember(`CANARY-refresh-${randomBytes(16).toString('hex')}`);
    owners.set(`Bearer ${refresh}`, person);
    return {
      access_token: remember(
        `e30.${payload}.CANARY${randomBytes(12 + people.padding).toString('base64url')}`,
      ),
      refresh_token: refresh,
      refresh_expires_in: 86_400,
    };
  }
  const answer = (data: unknown) =>
    stubAnswer(
      200,
      { code: 0, message: 'ok', data },
      { date: new Date(Date.now() + people.ahead).toUTCString() },
    );

  identity.on('GET /user/login/code/user', ({ query }) => {
    const code = query.get('code') ?? '';
    const person = Number(CODE.exec(code)?.[1]);
    if (Number.isNaN(person)) return stubAnswer(400, { code: 400, message: 'code err' });
    const issued = tokens(person);
    const user = { ...USER, user_id: person, nick_name: `Person ${person}` };
    return answer({ ...user, ...issued, extra: issued.access_token, nested: { token: issued.access_token } });
  });
  identity.on('POST /user/refresh_token', async ({ headers }) => {
    const person = owners.get(headers.authorization ?? '');
    if (person === undefined) {
      await people.beforeRefused();
      return stubAnswer(401, { code: 401, message: 'unknown' });
    }
    if (people.rotates) owners.delete(headers.authorization ?? '');
    refreshes.set(person, (refreshes.get(person) ?? 0) + 1);
    const renewed = answer(tokens(person));
    await people.beforeRefreshed();
    return renewed;
  });
  identity.on('POST /user/logout', () => ({}));
  identity.on('GET /user/valid', ({ headers }) => {
    const person = owners.get(headers.authorization ?? '');
    if (person === undefined) return stubAnswer(401, { code: 401, message: 'unknown' });
    return { info: { ...USER, user_id: person, nick_name: `Person ${person}` } };
  });
  identity.on('GET /user/userinfo', (seen) => ({
    ...USER,
    user_id: personOf(seen),
    nick_name: `Person ${personOf(seen)}`,
    ...tokens(personOf(seen)),
  }));
  return people;
}
