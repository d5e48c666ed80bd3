import t from 'tap';
import { startGateway } from '../../support/gateway.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';

const UPSTREAM = 'GET /user/login/code';
const PATH = '/api/auth/login-code';

t.test('the page learns that a code exists, never the code itself', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  t.equal((await browser.call(PATH)).json().code, 'UNAUTHENTICATED');
  await browser.signIn();
  for (const [body, data] of [
    [
      { code: 0, data: { code: 'CANARY-code', expires_in: 60 } },
      { issued: true, expires_in: 60 },
    ],
    [
      { code: 0, data: { data: { code: 'CANARY-code' } } },
      { issued: true, expires_in: null },
    ],
    [
      { code: 'CANARY-code', expires_in: 30 },
      { issued: true, expires_in: 30 },
    ],
    [
      { code: 0, data: {} },
      { issued: false, expires_in: null },
    ],
    [
      { code: 403, message: 'not you' },
      { issued: false, expires_in: null },
    ],
  ] as const) {
    gateway.identity.on(UPSTREAM, () => stubAnswer(200, body));
    const answer = await browser.call(PATH);
    t.equal(answer.status, 200);
    t.strictSame(answer.json().data, data);
    t.notMatch(JSON.stringify(answer.headers) + answer.text, 'CANARY');
    t.equal(answer.headers['cache-control'], 'no-store');
  }
  t.match(gateway.identity.seen(UPSTREAM)[0]?.headers.authorization, /^Bearer e30\./);
  t.notMatch(gateway.logText(), 'CANARY');
});

t.test('failures', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  await browser.signIn();
  gateway.identity.on(UPSTREAM, () => stubAnswer(500, 'oops'));
  t.equal((await browser.call(PATH)).json().code, 'UPSTREAM_INVALID');
  gateway.identity.on(UPSTREAM, () => stubAnswer(401, {}));
  t.equal((await browser.call(PATH)).json().code, 'UNAUTHENTICATED');
  t.equal(gateway.issued.refreshes, 1, 'after one refresh');
});
