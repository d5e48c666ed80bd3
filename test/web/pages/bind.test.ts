import t from 'tap';
import { onwardAddress } from '../../../shared/onward-address.ts';
import {
  bindErrorOf,
  bindParameters,
  bindPayload,
  bindStartParameters,
  canRetry,
  isProofError,
} from '../../../web/pages/bind/bind-parameters.ts';

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
  const about = (reason: 'SECOND_FACTOR_WRONG' | 'TOO_MANY_REQUESTS' | 'BIND_REFUSED', retryAfter?: number) =>
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
