import t from 'tap';
import { COMMUNITY_TIMEOUTS } from '../../server/community/timeouts.ts';
import { GATEWAY_TIMEOUTS } from '../../server/gateway/timeouts.ts';

t.test('production waits as long as is required', async (t) => {
  t.strictSame(GATEWAY_TIMEOUTS, {
    community: 900_000,
    userService: 10_000,
    collector: 10_000,
    connect: 2000,
    refreshRetry: 5000,
    validation: 2000,
    role: 5000,
    page: 2000,
    loginPage: 5000,
    signUpSetting: 2000,
    redis: { connect: 2000, command: 500, required: 5000 },
    client: { head: 60_000, body: 60_000, bytesPerSecond: 500, refusal: 1000 },
  });
  t.strictSame(COMMUNITY_TIMEOUTS, { identity: 5000, mailSetting: 2000, keys: 2000 });
});
