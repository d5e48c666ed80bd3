import { randomBytes } from 'node:crypto';
import { type StubUpstream, stubAnswer } from './stub-upstream.ts';

export type Issued = {
  /** Every secret that the service has issued. */
  secrets: string[];
  /** Lifetime of access tokens in seconds. */
  accessLifetime: number;
  /** Added to every access token, to make sessions large. */
  padding: number;
  /** Number of refreshes. */
  refreshes: number;
  accessToken(): string;
};

export const USER = {
  user_id: 7,
  user_name: 'ada',
  nick_name: 'Ada',
  email: 'ada@example.org',
  mobile: '',
  sex: 0,
  birthday: '',
  channel: 'official',
  tencent_docs: false,
  avatar_url: '',
  created_at: '2025-01-01T00:00:00Z',
  department: '',
  e_id: 1,
  is_administrator: false,
  is_owner: false,
  staff_status: 0,
  account_id: 7,
  identification: '',
};

/** Makes a stub behave like a user service: code `good` signs Ada in, refresh rotates tokens, any logout succeeds. */
export function scriptUserService(identity: StubUpstream): Issued {
  const issued: Issued = { secrets: [], accessLifetime: 900, padding: 0, refreshes: 0, accessToken };

  function remember(secret: string): string {
    issued.secrets.push(secret);
    return secret;
  }
  function accessToken(): string {
    const claims = { sub: '7', exp: Math.floor(Date.now() / 1000) + issued.accessLifetime };
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    return remember(`e30.${payload}.CANARY${randomBytes(12 + issued.padding).toString('base64url')}`);
  }
  const refreshToken = (): string => remember(`CANARY-refresh-${randomBytes(12).toString('hex')}`);

  identity.on('GET /user/login/code/user', ({ query }) => {
    if (query.get('code') !== 'good') return stubAnswer(400, { code: 400, message: 'code err' });
    return {
      ...USER,
      access_token: accessToken(),
      refresh_token: refreshToken(),
      refresh_expires_in: 86_400,
    };
  });
  identity.on('POST /user/refresh_token', () => {
    issued.refreshes += 1;
    return { access_token: accessToken(), refresh_token: refreshToken(), refresh_expires_in: 86_400 };
  });
  identity.on('GET /user/valid', () => ({ info: USER }));
  identity.on('POST /user/logout', () => ({}));
  identity.on('GET /user/userinfo', () => ({ ...USER, access_token: accessToken(), nick_name: 'Ada Fresh' }));
  return issued;
}
