import t from 'tap';
import { contract } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';
import { addPlugin } from '../community/add-plugin.ts';
import { addSubmission } from '../community/submissions/add-submission.ts';
import { type TestCommunity, testCommunity } from '../support/community.ts';
import { requestOf, type Subject } from './requests.ts';
import { CALLERS, type CallerName, RIGHTS } from './table.ts';

/** The community service asked directly, without the gateway before it. */
const open = await testCommunity(t, { publishers: 'members' });
const closed = await testCommunity(t, { publishers: 'admins' });
const OWNER = 100;
const OTHER = 7;

type Caller = { at: TestCommunity; headers: () => Promise<Record<string, string>> };

const secrets = new Map<string, string>();
const CALLING: Readonly<Record<CallerName, Caller>> = {
  visitor: { at: open, headers: async () => ({}) },
  member: { at: closed, headers: () => closed.bearer(OTHER, 0) },
  publisher: { at: open, headers: () => open.bearer(OTHER, 0) },
  owner: { at: open, headers: () => open.bearer(OWNER, 0) },
  admin: { at: open, headers: () => open.bearer(OTHER, 2) },
  super: { at: open, headers: () => open.bearer(OTHER, 1) },
  token: { at: open, headers: async () => ({ authorization: `Bearer ${secrets.get('secret')}` }) },
};

let made = 0;
/** A plugin of the owner, one that waits for its first review, and a token: a call may end any of them. */
async function subjectAt(at: TestCommunity): Promise<Subject> {
  made += 1;
  const plugin_key = `published-${made}`;
  const waiting_key = `waiting-${made}`;
  await addPlugin(at.db, { key: plugin_key, publisherId: OWNER });
  const waiting = await addPlugin(at.db, { key: waiting_key, publisherId: OWNER, auditStatus: 1 });
  const submission_id = await addSubmission(at.db, { pluginId: waiting, createdBy: OWNER });
  if (at === closed) return { plugin_key, waiting_key, submission_id, token_id: 1 };
  await at.pool.query('delete from publish_token');
  const response = await fetch(`${at.url}/api/cmt/plugin/token`, {
    method: 'POST',
    headers: { ...(await at.bearer(OWNER, 0)), 'content-type': 'application/json' },
    body: JSON.stringify({ name: `CI ${made}` }),
  });
  const { data } = await response.json();
  secrets.set('secret', data.secret);
  return { plugin_key, waiting_key, submission_id, token_id: data.token.id };
}

t.test('the contract and the table name the same calls, with the same access', async (t) => {
  const inTable = new Map(RIGHTS.map(({ call, access }) => [call, access]));
  const inContract = new Map(
    Object.values<Route>(contract).map(({ method, path, access }) => [`${method} ${path}`, access]),
  );
  t.strictSame([...inContract].sort(), [...inTable].sort());
});

t.test('a publish token passes where the table says so, and nowhere else', async (t) => {
  const marked = Object.values<Route>(contract).filter(({ publishToken }) => publishToken);
  t.strictSame(
    marked.map(({ method, path }) => `${method} ${path}`),
    ['POST /api/cmt/plugin', 'PUT /api/cmt/plugin'],
  );
});

const rights = RIGHTS.filter(({ call }) => call.includes(' /api/cmt/'));
for (const { call, variant, outcomes } of rights) {
  t.test(`${call}${variant ? ` (${variant})` : ''}, asked directly`, async (t) => {
    for (const caller of CALLERS) {
      const { at, headers } = CALLING[caller];
      const about = await subjectAt(at);
      const { method, path, body } = requestOf(call, variant, about);
      const response = await fetch(at.url + path, {
        method,
        headers: {
          ...(await headers()),
          ...(typeof body === 'string' && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
      });
      const answer = await response.text();
      if (outcomes[caller] === 'ok') {
        t.notOk(
          [401, 403].includes(response.status),
          `${caller}: ${response.status} ${answer.slice(0, 120)}`,
        );
      } else {
        t.equal(response.status, Number(outcomes[caller]), `${caller}: ${answer.slice(0, 120)}`);
      }
    }
  });
}
