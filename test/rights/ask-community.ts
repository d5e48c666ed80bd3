import type { Test } from 'tap';
import { addPlugin } from '../community/add-plugin.ts';
import { addSubmission } from '../community/add-submission.ts';
import { type TestCommunity, testCommunity } from '../support/community.ts';
import { requestOf, type Subject } from './requests.ts';
import { CALLERS, type CallerName, RIGHTS } from './table.ts';

const OWNER = 100;
const OTHER = 7;

/** The community service asked directly, without the gateway before it: a test for each row of the table. */
export async function askCommunity(t: Test): Promise<void> {
  const open = await testCommunity(t, { publishers: 'members' });
  const closed = await testCommunity(t, { publishers: 'admins' });
  let made = 0;

  /** A plugin of the owner, one that waits for its first review, and a token: a call may end any of them. */
  async function subjectAt(at: TestCommunity): Promise<Subject & { secret: string }> {
    made += 1;
    const plugin_key = `published-${made}`;
    const waiting_key = `waiting-${made}`;
    await addPlugin(at.db, { key: plugin_key, publisherId: OWNER });
    const waiting = await addPlugin(at.db, { key: waiting_key, publisherId: OWNER, auditStatus: 1 });
    const submission_id = await addSubmission(at.db, { pluginId: waiting, createdBy: OWNER });
    const subject = { plugin_key, waiting_key, submission_id };
    if (at === closed) return { ...subject, token_id: 1, secret: '' };
    await at.pool.query('delete from publish_token');
    const response = await fetch(`${at.url}/api/cmt/plugin/token`, {
      method: 'POST',
      headers: { ...(await at.bearer(OWNER, 0)), 'content-type': 'application/json' },
      body: JSON.stringify({ name: `CI ${made}` }),
    });
    const { data } = await response.json();
    return { ...subject, token_id: data.token.id, secret: data.secret };
  }

  type Headers = Promise<Record<string, string>>;
  const calling: Readonly<
    Record<CallerName, { at: TestCommunity; headers: (about: { secret: string }) => Headers }>
  > = {
    visitor: { at: open, headers: async () => ({}) },
    member: { at: closed, headers: () => closed.bearer(OTHER, 0) },
    publisher: { at: open, headers: () => open.bearer(OTHER, 0) },
    owner: { at: open, headers: () => open.bearer(OWNER, 0) },
    admin: { at: open, headers: () => open.bearer(OTHER, 2) },
    super: { at: open, headers: () => open.bearer(OTHER, 1) },
    token: { at: open, headers: async ({ secret }) => ({ authorization: `Bearer ${secret}` }) },
  };

  const rights = RIGHTS.filter(({ call }) => / \/api\/(?:cmt|helpcenter)\//.test(call));
  for (const { call, variant, outcomes } of rights) {
    t.test(`${call}${variant ? ` (${variant})` : ''}`, async (t) => {
      for (const caller of CALLERS) {
        const { at, headers } = calling[caller];
        const about = await subjectAt(at);
        const { method, path, body } = requestOf(call, variant, about);
        const response = await fetch(at.url + path, {
          method,
          headers: {
            ...(await headers(about)),
            ...(typeof body === 'string' && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body }),
        });
        const told = `${caller}: ${response.status} ${(await response.text()).slice(0, 120)}`;
        if (outcomes[caller] === 'ok') t.notOk([401, 403].includes(response.status), told);
        else t.equal(response.status, Number(outcomes[caller]), told);
      }
    });
  }
}
