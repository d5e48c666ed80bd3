import { QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import t from 'tap';
import type { Role } from '../../../shared/entities/user.ts';
import { onwardAddress } from '../../../shared/onward-address.ts';
import { type ApiError, apiError } from '../../../web/api/api-error.ts';
import { queryOptionsOf } from '../../../web/api/queries.ts';
import { createServerQueryClient } from '../../../web/api/query-client.ts';
import {
  bindErrorOf,
  bindParameters,
  bindPayload,
  bindStartParameters,
  canRetry,
  isProofError,
} from '../../../web/pages/bind/bind-parameters.ts';
import {
  EMPTY_VALUES,
  problemIn,
  problemOf,
  SIGN_IN_FIELDS,
} from '../../../web/pages/sign-in/sign-in-fields.ts';
import {
  methodsToBind,
  queryForMode,
  signInMode,
  signInOrigin,
  signInParameters,
} from '../../../web/pages/sign-in/sign-in-parameters.ts';
import { USER } from '../../support/user-service.ts';
import { webSources, withKeysAsTexts } from '../support/sources.ts';

t.test('sign in', async (t) => {
  const RETURN = 'https://square.example/api/auth/callback?nonce=1';

  t.test('the parameters of the URL are returned unchanged', async (t) => {
    const query = new URLSearchParams({
      response_type: 'code',
      redirect_uri: RETURN,
      from: '1',
      channel: 'official',
      product: '1',
      ux_mode: 'popup',
      page: 'sign_up',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
      ux_from: 'tencent_docs',
      login_source_id: '7',
      app_name: 'Docs',
      bind_other: 'bind',
      unknown: 'x',
    });
    t.strictSame(signInParameters(query), {
      response_type: 'code',
      redirect_uri: RETURN,
      from: '1',
      channel: 'official',
      product: '1',
      ux_mode: 'popup',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
      ux_from: 'tencent_docs',
      login_source_id: '7',
      app_name: 'Docs',
      bind_other: 'bind',
    });
    t.equal(signInMode(query), 'sign_up');
  });

  t.test('unknown values are dropped; without a return URL there are no parameters', async (t) => {
    t.strictSame(
      signInParameters(
        new URLSearchParams({
          ...{ redirect_uri: RETURN, response_type: 'token', ux_mode: 'x', from: '', bind_other: 'x' },
          code_challenge_method: 'plain',
        }),
      ),
      { redirect_uri: RETURN },
    );
    t.equal(signInParameters(new URLSearchParams({ redirect_uri: '' })), undefined);
    t.equal(signInParameters(new URLSearchParams()), undefined);
    t.equal(signInMode(new URLSearchParams({ page: 'other' })), 'sign_in');
  });

  t.test('the other form keeps the other parameters', async (t) => {
    const query = new URLSearchParams({ redirect_uri: RETURN, channel: 'official' });
    const other = new URLSearchParams(queryForMode(query, 'sign_up'));
    t.strictSame(Object.fromEntries(other), { redirect_uri: RETURN, channel: 'official', page: 'sign_up' });
    t.equal(new URLSearchParams(queryForMode(other, 'sign_in')).has('page'), false);
  });

  t.test('missing and invalid input is found before sending', async (t) => {
    const texts = (mode: 'sign_in' | 'sign_up', values: Partial<typeof EMPTY_VALUES>) =>
      SIGN_IN_FIELDS[mode].flatMap(
        ({ name }) => problemIn(mode, name, { ...EMPTY_VALUES, ...values }[name], 10) ?? [],
      );
    t.strictSame(texts('sign_in', {}), ['signIn.account_missing', 'signIn.password_missing']);
    t.strictSame(
      texts('sign_in', { account: 'mei', password: 'x' }),
      [],
      'an existing password may be short',
    );
    t.strictSame(texts('sign_up', { email: ' ', nick_name: '\t' }), [
      'signIn.email_missing',
      'signIn.nick_name_missing',
      'signIn.password_missing',
    ]);
    t.strictSame(texts('sign_up', { email: 'a@b', nick_name: 'A', password: '         ' }), [
      'signIn.email_wrong',
      'password.short',
    ]);
    t.strictSame(
      texts('sign_up', { email: 'a@b.co', nick_name: 'Ada ✔', password: '密码密码密码密码密码' }),
      ['signIn.nick_name_mark'],
    );
    t.strictSame(
      texts('sign_up', { email: 'a@b.co', nick_name: '梅', password: '密码密码密码密码密码' }),
      [],
    );
    t.strictSame(
      texts('sign_up', { email: 'a@b.co', nick_name: 'A', password: '👩‍🚀'.repeat(2) }),
      ['password.short'],
      'code points are counted',
    );
  });

  t.test('an error is shown by its code, at its field', async (t) => {
    const problem = (status: number, reason: 'CREDENTIALS_INVALID' | 'PASSWORD_TOO_WEAK' | 'INTERNAL') =>
      problemOf(apiError({ status, reason }));
    t.strictSame(problem(401, 'CREDENTIALS_INVALID'), { text: 'signIn.credentials_wrong' });
    t.strictSame(problem(422, 'PASSWORD_TOO_WEAK'), {
      field: 'password',
      text: 'password.guessable',
    });
    const weak = [{ pointer: '/password', code: 'PASSWORD_NAME', message: 'is built from a name' }];
    t.strictSame(problemOf(apiError({ status: 422, reason: 'PASSWORD_TOO_WEAK', details: weak })), {
      field: 'password',
      text: 'password.name',
    });
    t.equal(problem(500, 'INTERNAL'), undefined);
    t.equal(problemOf(apiError({ status: 0 })), undefined);
    t.strictSame(problemOf(apiError({ status: 429, reason: 'TOO_MANY_REQUESTS', retryAfter: 9 })), {
      text: 'signIn.too_many_seconds',
    });
    t.equal(problemOf(apiError({ status: 429, reason: 'TOO_MANY_REQUESTS' })), undefined);
    const details = [{ pointer: '/email', message: 'is not valid' }];
    t.strictSame(problemOf(apiError({ status: 400, reason: 'VALIDATION_FAILED', details })), {
      field: 'email',
      text: 'signIn.email_wrong',
    });
    const name = [{ pointer: '/nick_name', message: 'must not contain control characters' }];
    t.strictSame(
      problemOf(apiError({ status: 400, reason: 'VALIDATION_FAILED', details: name })),
      { field: 'nick_name', text: 'signIn.nick_name_refused' },
      'a name that is there is not missing',
    );
  });

  t.test(
    'only document services of the deployment are accepted, by all parameters of the link',
    async (t) => {
      const service = {
        source: 'docs',
        ux_from: 'tencent_docs',
        login_source_id: '7',
        app_name: 'Docs',
      };
      const from = (more: object) => signInOrigin({ redirect_uri: RETURN, ...more }, [service]).kind;
      t.equal(from({}), 'here');
      t.equal(from({ ux_from: 'tencent_docs', login_source_id: '7' }), 'documents');
      t.equal(from({ ux_from: 'tencent_docs', login_source_id: '7', app_name: 'Docs' }), 'documents');
      t.equal(from({ ux_from: 'tencent_docs', login_source_id: '7', app_name: 'Your Bank' }), 'unknown');
      t.equal(from({ ux_from: 'tencent_docs', login_source_id: '8' }), 'unknown');
      t.equal(from({ app_name: 'Docs' }), 'unknown');
      t.equal(from({ bind_other: 'bind' }), 'unknown');

      const offer = (source: string) =>
        ({ source, method: 'oauth2', kind: 'redirect', label: null }) as const;
      const known = { kind: 'documents', service } as const;
      t.strictSame(
        methodsToBind([offer('docs'), offer('sso')], known),
        [offer('sso')],
        'every method but its own',
      );
      t.strictSame(methodsToBind([offer('docs')], known), [offer('docs')], 'unless it is the only one');
    },
  );
});

t.test('bind', async (t) => {
  const SITE = {
    public_url: 'https://square.example',
    site_url: 'https://design.example',
    login_origin: 'https://login.example',
  };

  t.test('binding parameters come only from the URL', async (t) => {
    const read = (query: Record<string, string>) => bindParameters(new URLSearchParams(query));
    t.strictSame(read({ id: ' wx_1 ', mainUrl: '/plugins/', txDocFolderId: 'f', other: 'x' }), {
      id: 'wx_1',
      mainUrl: '/plugins/',
      txDocFolderId: 'f',
    });
    t.strictSame(read({ id: 'wx_1', mainUrl: '' }), {
      id: 'wx_1',
      mainUrl: undefined,
      txDocFolderId: undefined,
    });
    t.equal(read({ id: '  ', mainUrl: '/plugins/' }), undefined);
    t.equal(read({}), undefined);
    t.strictSame(bindPayload({ id: 'wx_1', mainUrl: undefined, txDocFolderId: undefined }, SITE), {
      id: 'wx_1',
    });
    const foreignUrl = { id: 'wx_1', mainUrl: 'https://evil.example/', txDocFolderId: undefined };
    t.strictSame(bindPayload(foreignUrl, SITE), { id: 'wx_1' });
    t.strictSame(bindPayload({ id: 'wx_1', mainUrl: '/a', txDocFolderId: 'f' }, SITE), {
      id: 'wx_1',
      mainUrl: '/a',
      txDocFolderId: 'f',
    });
  });

  t.test('before there is an account to bind, the URL names the document service', async (t) => {
    const read = (query: Record<string, string>) => bindStartParameters(new URLSearchParams(query));
    const docs = { ux_from: 'tencent_docs', login_source_id: 'docs' };
    t.strictSame(read(docs), docs);
    const onward = { mainUrl: '/plugins/', txDocFolderId: 'f' };
    t.strictSame(read({ ...docs, ...onward, sso_error: 'x' }), { ...docs, ...onward });
    t.equal(read({ ...docs, id: 'wx_1' }), undefined);
    t.equal(read({ ux_from: 'tencent_docs' }), undefined);
    t.equal(read({ login_source_id: 'docs' }), undefined);
  });

  t.test('return URLs are limited to this site, the wider one and the login host', async (t) => {
    for (const [mainUrl, address] of [
      ['/plugins/?a=1#b', 'https://square.example/plugins/?a=1#b'],
      ['https://square.example/plugins/', 'https://square.example/plugins/'],
      ['https://design.example/app', 'https://design.example/app'],
      ['https://login.example/done', 'https://login.example/done'],
      ['HTTPS://DESIGN.EXAMPLE:443/', 'https://design.example/'],
    ] as const) {
      t.equal(onwardAddress(mainUrl, SITE), address);
    }
    for (const mainUrl of [
      undefined,
      '//evil.example/',
      '/\\evil.example/',
      '\\\\evil.example/',
      'https://evil.example/',
      'https://design.example.evil.example/',
      'https://design.example@evil.example/',
      'https://somebody@design.example/',
      'https://design.example:8443/',
      'http://square.example/plugins/',
      'javascript:alert(1)',
      'java\nscript:alert(1)',
      'data:text/html,x',
      'blob:https://square.example/x',
      'https://[',
      '/api/auth/login?return_to=/',
      '/API/auth/logout',
      '/%61pi/auth/login',
      '/plugins/../api/auth/login',
      '/%ff',
    ]) {
      t.equal(onwardAddress(mainUrl, SITE), undefined, String(mainUrl));
    }
  });

  t.test('errors are mapped to reasons', async (t) => {
    t.equal(bindErrorOf({ status: 409, reason: undefined }), 'taken');
    t.equal(bindErrorOf({ status: 400, reason: 'VALIDATION_FAILED' }), 'invalid');
    t.equal(
      bindErrorOf({ status: 404, reason: undefined }),
      'invalid',
      'the service does not know the account',
    );
    t.equal(bindErrorOf({ status: 404, reason: 'NOT_FOUND' }), 'unsupported', 'the call does not exist');
    t.equal(bindErrorOf({ status: 502, reason: 'NOT_IMPLEMENTED' }), 'unsupported');
    t.equal(bindErrorOf({ status: 403, reason: undefined }), 'forbidden');
    for (const status of [0, 418, 500, 502, 504])
      t.equal(bindErrorOf({ status, reason: undefined }), 'unavailable', String(status));
    t.equal(bindErrorOf({ status: 403, reason: 'BIND_REFUSED' }), 'not_here');
    const about = (
      reason: 'SECOND_FACTOR_WRONG' | 'TOO_MANY_REQUESTS' | 'BIND_REFUSED',
      retryAfter?: number,
    ) =>
      (['code', 'password', 'none', undefined] as const).map((proof) =>
        isProofError({ reason, retryAfter }, proof),
      );
    t.strictSame(about('SECOND_FACTOR_WRONG'), [true, true, false, false]);
    t.strictSame(about('TOO_MANY_REQUESTS', 3), [true, true, false, false]);
    t.strictSame(about('TOO_MANY_REQUESTS'), [false, false, false, false]);
    t.strictSame(about('BIND_REFUSED'), [false, false, false, false]);
    t.equal(isProofError({ reason: 'REAUTHENTICATION_REQUIRED', retryAfter: undefined }, 'none'), true);
    t.equal(canRetry('unavailable'), true);
    t.equal(canRetry('taken'), false);
  });
});

t.test('access gate', async (t) => {
  const load = await webSources(t);
  const AccessGate: typeof import('../../../web/pages/access-gate/access-gate.tsx').AccessGate = (
    await load('/pages/access-gate/access-gate.tsx')
  ).AccessGate;
  const SsoError: typeof import('../../../web/pages/sign-in/sign-in-errors.tsx').SsoError = (
    await load('/pages/sign-in/sign-in-errors.tsx')
  ).SsoError;
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
    const html = renderToString(
      createElement(QueryClientProvider, { client }, createElement(Texts, { children: routed })),
    );
    return html.replace(/^<div class="[^"]*">PAGE<\/div>$/, 'PAGE');
  }

  const [USER_ROLE, PUBLISHER, ADMIN, SUPER_ADMIN] = [
    { role: 0, may_publish: false },
    { role: 0, may_publish: true },
    { role: 2, may_publish: true },
    { role: 1, may_publish: true },
  ] as const;

  t.test('a page is only shown to users with access', async (t) => {
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

  t.test('a skeleton is shown until the viewer is known', async (t) => {
    for (const session of ['unknown', 'signed-in'] as const) t.equal(shown('user', { session }), 'PLACE');
    t.equal(
      shown('user', { session: 'unknown', viewer: ADMIN }),
      'PLACE',
      'what was known before is not enough',
    );
  });

  t.test('visitors, also after a 401, go to sign-in and never see the page', async (t) => {
    t.equal(shown('user', { session: 'anonymous' }), 'PLACE');
    t.equal(
      shown('user', { session: 'anonymous', viewer: ADMIN }),
      'PLACE',
      'another reviewer decided first',
    );
    const error = apiError({ status: 401, reason: 'SESSION_ENDED' });
    t.equal(shown('user', { session: 'signed-in', error }), 'PLACE');
    t.equal(
      shown('admin', { session: 'signed-in', viewer: ADMIN, error }),
      'PLACE',
      'the session ended meanwhile',
    );
  });

  t.test('after a failed sign-in the gate shows the error instead of a redirect loop', async (t) => {
    const html = shown('user', { session: 'anonymous' }, '/plugins/x?a=1&login_error=CODE_INVALID');
    t.match(html, 'session.failed_title');
    t.match(html, `href="/api/auth/login?return_to=${encodeURIComponent('/plugins/x?a=1')}`);
    t.notMatch(html, /PLACE|PAGE/);
  });

  t.test('a failed sign-in is explained by whose fault it is', async (t) => {
    for (const [code, text] of [
      ['CODE_INVALID', 'session.failed_text'],
      ['UPSTREAM_TIMEOUT', 'session.failed_service'],
      ['SERVICE_UNAVAILABLE', 'session.failed_service'],
      ['SIGN_IN_MISCONFIGURED', 'session.failed_setup'],
      ['LOGIN_SOURCE_UNKNOWN', 'session.failed_link'],
      ['a code of a later release', 'session.failed_text'],
    ] as const) {
      const html = shown(
        'user',
        { session: 'anonymous' },
        `/plugins/x?login_error=${encodeURIComponent(code)}`,
      );
      t.strictSame(html.match(/session\.failed_(?!title)\w+/g), [text], code);
    }
    for (const [code, text] of [
      ['SSO_REFUSED', 'signIn.sso_refused'],
      ['SERVICE_UNAVAILABLE', 'signIn.sso_unavailable'],
      ['SIGN_IN_MISCONFIGURED', 'signIn.sso_setup'],
      ['SSO_ACCOUNT_UNKNOWN', 'signIn.sso_unknown'],
      ['ACCOUNT_DISABLED', 'signIn.account_disabled'],
      ['a code of a later release', 'signIn.sso_refused'],
    ] as const) {
      const html = renderToString(createElement(Texts, { children: createElement(SsoError, { code }) }));
      t.strictSame(html.match(/signIn\.\w+/g), [text], code);
    }
  });

  t.test('a 403 is final, other errors can be retried', async (t) => {
    t.equal(
      shown('user', { session: 'signed-in', error: apiError({ status: 403, reason: 'FORBIDDEN' }) }),
      '',
    );
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
});
