import { decodeJwt } from 'jose';
import t from 'tap';
import { ask, EXCHANGE, renewTokens, signUp, testIdentity, tokensIn } from '../../support/identity.ts';

const SCOPE = 'plugins:read plugins:install';

t.test('a session that is limited to scopes', async (t) => {
  const { app } = await testIdentity(t);
  const exchangeFor = async (scope: string) => {
    const { code } = await signUp(app);
    return ask(app, `${EXCHANGE}${code}&scope=${encodeURIComponent(scope)}`);
  };
  const begun = tokensIn(await exchangeFor(SCOPE));

  t.test('its tokens say so, also after a renewal', async (t) => {
    t.equal(decodeJwt(begun.access).scope, SCOPE);
    const renewed = tokensIn(await renewTokens(app, begun.refresh));
    t.equal(decodeJwt(renewed.access).scope, SCOPE);
    const whole = tokensIn(await ask(app, `${EXCHANGE}${(await signUp(app)).code}`));
    t.notOk('scope' in decodeJwt(whole.access), 'others have no limit');
  });

  t.test('nothing of the account is open to it', async (t) => {
    const bearer = begun.access;
    for (const call of [
      'GET /user/userinfo',
      'GET /user/login/code',
      'POST /user/reset_token',
      'POST /user/profile',
      'POST /user/account-export',
      'GET /user/session/list',
      'POST /user/publish-grant',
    ]) {
      const { status, body } = await ask(app, call, { bearer, ...(call.startsWith('POST') && { body: {} }) });
      t.hasStrict({ status, code: body.code }, { status: 403, code: 'FORBIDDEN' }, call);
    }
  });

  t.test('its user sees where it is', async (t) => {
    const bearer = tokensIn(await ask(app, `${EXCHANGE}${(await signUp(app)).code}`)).access;
    const { code } = (await ask(app, 'GET /user/login/code', { bearer })).body.data;
    const path = `GET /user/login/code/user?code=${code}&scope=${encodeURIComponent(SCOPE)}`;
    t.equal((await ask(app, path)).status, 200);
    const list = (await ask(app, 'GET /user/session/list', { bearer })).body.data.session_list;
    const rows: { is_current: boolean; is_in_tool?: boolean }[] = Array.isArray(list) ? list : [];
    t.equal(rows.length, 2);
    t.equal(rows.find(({ is_current }) => !is_current)?.is_in_tool, true);
    t.equal(rows.find(({ is_current }) => is_current)?.is_in_tool, undefined);
  });

  t.test('it can be validated and ended', async (t) => {
    const bearer = tokensIn(await renewTokens(app, begun.refresh)).refresh;
    t.equal((await ask(app, 'GET /user/valid', { bearer })).status, 200);
    t.equal((await ask(app, 'POST /user/logout', { bearer })).status, 200);
    t.equal((await ask(app, 'GET /user/valid', { bearer })).status, 401);
  });

  t.test('a scope that is not one of tools begins none', async (t) => {
    for (const scope of ['admin', 'plugins:read admin', '', 'plugins:read plugins:read'])
      t.hasStrict(
        await exchangeFor(scope),
        {
          status: 400,
          body: {
            code: 'VALIDATION_FAILED',
            errors: [{ pointer: '/scope', message: 'must name scopes of tools' }],
          },
        },
        scope,
      );
  });
});
