import t from 'tap';
import { COMMUNITY_TIMEOUTS } from '../../server/community/timeouts.ts';
import { GATEWAY_TIMEOUTS } from '../../server/gateway/timeouts.ts';
import { startGateway } from '../support/gateway.ts';

t.test('production waits as long as is required', async (t) => {
  t.strictSame(GATEWAY_TIMEOUTS, {
    community: 900_000,
    userService: 10_000,
    collector: 10_000,
    connect: 2000,
    refreshRetry: 5000,
    role: 5000,
    page: 2000,
    loginPage: 5000,
    signUpSetting: 2000,
    redis: { connect: 2000, command: 500, required: 5000 },
    client: { head: 60_000, body: 60_000, bytesPerSecond: 500, refusal: 1000 },
  });
  t.strictSame(COMMUNITY_TIMEOUTS, { identity: 5000, mailSetting: 2000, keys: 2000 });
});

t.test('both limits are settings', async (t) => {
  const never = () => new Promise<never>(() => undefined);
  const gateway = await startGateway(t, {
    settings: { COMMUNITY_TIMEOUT: '1s', USER_SERVICE_TIMEOUT: '1s' },
  });
  gateway.community.on('GET /api/cmt/plugin/list', never);
  gateway.helpcenter.on('GET /api/helpcenter/article', never);
  gateway.identity.on('GET /user/page/options', never);
  const paths = ['/api/cmt/plugin/list', '/api/helpcenter/article', '/user/page/options'];
  const browser = gateway.browser();
  const answers = await Promise.all(paths.map((path) => browser.call(path)));
  t.strictSame(
    answers.map(({ status }) => status),
    [504, 504, 504],
  );
});
