import t from 'tap';
import { apiError } from '../../../web/api/api-error.ts';
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
  t.strictSame(texts('sign_in', { account: 'mei', password: 'x' }), [], 'an existing password may be short');
  t.strictSame(texts('sign_up', { email: ' ', nick_name: '\t' }), [
    'signIn.email_missing',
    'signIn.nick_name_missing',
    'signIn.password_missing',
  ]);
  t.strictSame(texts('sign_up', { email: 'a@b', nick_name: 'A', password: '         ' }), [
    'signIn.email_wrong',
    'password.short',
  ]);
  t.strictSame(texts('sign_up', { email: 'a@b.co', nick_name: '梅', password: '密码密码密码密码密码' }), []);
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
});

t.test('only document services of the deployment are accepted, by all parameters of the link', async (t) => {
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

  const offer = (source: string) => ({ source, method: 'oauth2', kind: 'redirect', label: null }) as const;
  const known = { kind: 'documents', service } as const;
  t.strictSame(
    methodsToBind([offer('docs'), offer('sso')], known),
    [offer('sso')],
    'every method but its own',
  );
  t.strictSame(methodsToBind([offer('docs')], known), [offer('docs')], 'unless it is the only one');
});
