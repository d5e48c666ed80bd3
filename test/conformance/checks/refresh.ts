import { Readable } from 'node:stream';
import { stubAnswer } from '../../support/stub-upstream.ts';
import type { Check } from '../check.ts';
import { ARTICLE, holds, INSTALL, install, same, sessionCookies } from '../expect.ts';

const REFRESH = 'POST /user/refresh_token';

/** Token refresh. */
export const refreshChecks: readonly Check[] = [
  {
    id: 'R 9.16',
    title: 'twenty concurrent calls with an expired token make one refresh',
    async run(context) {
      const { upstream, identity, people } = context;
      upstream.on(`POST ${INSTALL}`, () => ({}));
      people.lifetime = 3;
      const opened = await context.signedIn();
      people.lifetime = 900;
      const answers = await Promise.all(Array.from({ length: 20 }, () => install(opened)));
      same(new Set(answers.map(({ status }) => status)), new Set([200]), 'statuses');
      same(people.totalRefreshes(), 1, 'refreshes');
      same(identity.seen(REFRESH).length, 1, 'refreshes, refused ones included');
      const bearers = upstream.seen(`POST ${INSTALL}`).map(({ headers }) => headers.authorization);
      same(new Set(bearers).size, 1, 'different bearers upstream');
    },
  },
  {
    id: 'R 9.17',
    title: 'a rejected refresh ends the session; a failed one is 502 and keeps it',
    async run(context) {
      const { upstream, identity, people } = context;
      upstream.on(`POST ${INSTALL}`, () => ({}));
      people.lifetime = 3;
      const opened = await context.signedIn();
      for (const failure of [
        stubAnswer(500, 'oops'),
        stubAnswer(403, {}),
        stubAnswer(200, { code: 0, data: {} }),
        stubAnswer(200, '<html>'),
      ]) {
        identity.on(REFRESH, () => failure);
        same((await install(opened)).status, 502, 'a failing user service');
      }
      identity.on(REFRESH, (_seen, response) => void response.destroy());
      same((await install(opened)).status, 502, 'a user service that closes the connection');
      holds(sessionCookies(opened, context).length > 0, 'the session is kept');
      for (const refusal of [
        stubAnswer(401, { code: 401 }),
        stubAnswer(200, { code: 401, message: 'expired' }),
        stubAnswer(400, { error: 'invalid_grant' }),
      ]) {
        const refused = await context.signedIn();
        identity.on(REFRESH, () => refusal);
        same((await install(refused)).status, 401, 'a refused refresh');
        same(sessionCookies(refused, context), [], 'cookies after a refused refresh');
      }
      same(upstream.seen(`POST ${INSTALL}`).length, 0, 'calls sent without a token');
    },
  },
  {
    id: 'R 9.18',
    title: 'an upstream 401 causes one refresh and one replay, with a body of at most 64 KB',
    async run(context) {
      const { upstream, people } = context;
      const opened = await context.signedIn();
      let refusals = 1;
      upstream.on(`POST ${INSTALL}`, ({ body }) => {
        refusals -= 1;
        return refusals >= 0 ? stubAnswer(401, { code: 'TOKEN_INVALID' }) : { length: body.length };
      });
      const answer = await install(opened, JSON.stringify({ text: 'x'.repeat(1000) }));
      same(answer.status, 200, 'a replayed call');
      same(answer.json().data.length, 1011, 'bytes of the replayed body');
      same(people.totalRefreshes(), 1, 'refreshes');
      refusals = 9;
      same((await install(opened)).status, 401, 'a call that is refused twice');
      same(upstream.seen(`POST ${INSTALL}`).length, 4, 'attempts');
      const large = await install(opened, JSON.stringify({ text: 'x'.repeat(70_000) }));
      same(large.status, 401, 'a refused call with more than 64 KB');
      same(upstream.seen(`POST ${INSTALL}`).length, 5, 'attempts with a large body');
      const refreshes = people.totalRefreshes();
      const streamed = await opened.call('/api/helpcenter/upload/picture', {
        method: 'POST',
        headers: { 'content-type': 'image/png' },
        body: Readable.from([Buffer.alloc(70_000), Buffer.alloc(70_000)]),
      });
      holds(streamed.status === 404 || streamed.status === 401, `a streamed upload: ${streamed.status}`);
      upstream.on('POST /api/helpcenter/upload/picture', () => stubAnswer(401, { code: 'TOKEN_INVALID' }));
      const refused = await opened.call('/api/helpcenter/upload/picture', {
        method: 'POST',
        headers: { 'content-type': 'image/png' },
        body: Readable.from([Buffer.alloc(70_000), Buffer.alloc(70_000)]),
      });
      same(refused.status, 401, 'a streamed upload that is refused');
      same(upstream.seen('POST /api/helpcenter/upload/picture').length, 2, 'streamed uploads upstream');
      same(people.totalRefreshes(), refreshes, 'refreshes for a streamed upload');
    },
  },
  {
    id: 'R 9.19',
    title: 'expiry uses the clock of the user service, five seconds ahead',
    async run(context) {
      const { upstream, people } = context;
      upstream.on(`GET ${ARTICLE}`, () => ({}));
      for (const [lifetime, ahead, refreshes, what] of [
        [12, 0, 0, 'twelve seconds left'],
        [4, 0, 1, 'four seconds left'],
        [120, -3_600_000, 0, 'a user service an hour behind'],
        [4, 3_600_000, 1, 'a user service an hour ahead'],
      ] as const) {
        people.refreshes.clear();
        Object.assign(people, { lifetime, ahead });
        const opened = await context.signedIn();
        people.lifetime = 900;
        same((await opened.call(ARTICLE)).status, 200, what);
        same(people.totalRefreshes(), refreshes, `refreshes with ${what}`);
      }
    },
  },
];
