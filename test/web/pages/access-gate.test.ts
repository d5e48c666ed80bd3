import { QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import tap from 'tap';
import type { Role } from '../../../shared/entities/user.ts';
import { type ApiError, apiError } from '../../../web/api/api-error.ts';
import { queryOptionsOf } from '../../../web/api/queries.ts';
import { createServerQueryClient } from '../../../web/api/query-client.ts';
import { USER } from '../../support/user-service.ts';
import { webSources, withKeysAsTexts } from '../support/sources.ts';

const load = await webSources(tap);
const AccessGate: typeof import('../../../web/pages/access-gate.tsx').AccessGate = (
  await load('/pages/access-gate.tsx')
).AccessGate;
const Texts = await withKeysAsTexts(load);

const NOBODY = { signed_in: false, user: null, role: null, login_method: null, expires_at: null };

type Given = {
  /** The viewer: unknown, anonymous or signed in. */
  session: 'unknown' | 'anonymous' | 'signed-in';
  /** The community service's response, if any. */
  viewer?: { role: Role; may_publish: boolean };
  error?: ApiError;
};

/** What the gate renders: page, skeleton, nothing (a redirect to the forbidden page), or something else. */
function shown(
  needs: 'user' | 'publisher' | 'admin',
  { session, viewer, error }: Given,
  path = '/plugins/x',
) {
  const client = createServerQueryClient(() => new Promise(() => undefined));
  const sessionKey = queryOptionsOf('readSession', {}).queryKey;
  const viewerKey = queryOptionsOf('verifyUser', {}).queryKey;
  if (session !== 'unknown')
    client.setQueryData(
      sessionKey,
      session === 'anonymous' ? NOBODY : { ...NOBODY, signed_in: true, user: USER, role: 0 },
    );
  if (viewer) client.setQueryData(viewerKey, { user_id: 1, nick_name: 'A', avatar_url: '', ...viewer });
  if (error) {
    const query = client.getQueryCache().build(client, { queryKey: viewerKey });
    query.setState({ status: 'error', error, fetchStatus: 'idle', errorUpdateCount: 1 });
  }
  const gate = createElement(AccessGate, { needs, placeholder: 'PLACE', children: 'PAGE' });
  const routed = createElement(StaticRouter, { location: path, children: gate });
  return renderToString(
    createElement(QueryClientProvider, { client }, createElement(Texts, { children: routed })),
  );
}

const [USER_ROLE, PUBLISHER, ADMIN, SUPER_ADMIN] = [
  { role: 0, may_publish: false },
  { role: 0, may_publish: true },
  { role: 2, may_publish: true },
  { role: 1, may_publish: true },
] as const;

tap.test('a page is only shown to users with access', async (t) => {
  for (const [needs, viewer, expected] of [
    ['user', USER_ROLE, 'PAGE'],
    ['user', ADMIN, 'PAGE'],
    ['publisher', USER_ROLE, ''],
    ['publisher', PUBLISHER, 'PAGE'],
    ['publisher', ADMIN, 'PAGE'],
    ['admin', USER_ROLE, ''],
    ['admin', PUBLISHER, ''],
    ['admin', ADMIN, 'PAGE'],
    ['admin', SUPER_ADMIN, 'PAGE'],
  ] as const)
    t.equal(shown(needs, { session: 'signed-in', viewer }), expected, `${needs} ${JSON.stringify(viewer)}`);
});

tap.test('a skeleton is shown until the viewer is known', async (t) => {
  for (const session of ['unknown', 'signed-in'] as const) t.equal(shown('user', { session }), 'PLACE');
  t.equal(
    shown('user', { session: 'unknown', viewer: ADMIN }),
    'PLACE',
    'what was known before is not enough',
  );
});

tap.test('visitors, also after a 401, go to sign-in and never see the page', async (t) => {
  t.equal(shown('user', { session: 'anonymous' }), 'PLACE');
  t.equal(shown('user', { session: 'anonymous', viewer: ADMIN }), 'PLACE', 'another reviewer decided first');
  const error = apiError({ status: 401, reason: 'SESSION_ENDED' });
  t.equal(shown('user', { session: 'signed-in', error }), 'PLACE');
  t.equal(
    shown('admin', { session: 'signed-in', viewer: ADMIN, error }),
    'PLACE',
    'the session ended meanwhile',
  );
});

tap.test('after a failed sign-in the gate shows the error instead of a redirect loop', async (t) => {
  const html = shown('user', { session: 'anonymous' }, '/plugins/x?a=1&login_error=CODE_INVALID');
  t.match(html, 'session.failed_title');
  t.match(html, `href="/api/auth/login?return_to=${encodeURIComponent('/plugins/x?a=1')}`);
  t.notMatch(html, /PLACE|PAGE/);
});

tap.test('a 403 is final, other errors can be retried', async (t) => {
  t.equal(shown('user', { session: 'signed-in', error: apiError({ status: 403, reason: 'FORBIDDEN' }) }), '');
  for (const error of [apiError({ status: 0 }), apiError({ status: 503, reason: 'SERVICE_UNAVAILABLE' })]) {
    const html = shown('user', { session: 'signed-in', error });
    t.match(html, 'list.retry');
    t.notMatch(html, /PLACE|PAGE/);
  }
  const error = apiError({ status: 503 });
  t.equal(
    shown('user', { session: 'signed-in', viewer: USER_ROLE, error }),
    'PAGE',
    'what was read before holds',
  );
});
