import t from 'tap';
import { testFolder } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';
import { startProgram } from '../../support/program.ts';
import { killRepeatedly } from './support/kill-rounds.ts';
import { findInconsistencies, findLostWrites, openLedger } from './support/ledger.ts';
import { openUser, SETTINGS, signIn } from './support/user.ts';
import { startPublishers, startSignUps } from './support/writers.ts';

t.test('kill -9 of community, identity and gateway, one by one, while users write', async (t) => {
  const { url } = await testDatabase(t, { name: 'kill_services' });
  const [dataDir, identityDir, gatewayDir] = [await testFolder(t), await testFolder(t), await testFolder(t)];
  const given = { ...SETTINGS, DATABASE_URL: url };
  const identity = await startProgram({ ...given, ROLE: 'identity', DATA_DIR: identityDir }, { t });
  const addresses = { IDENTITY_URL: identity.origin };
  const community = await startProgram(
    { ...given, ...addresses, ROLE: 'community', DATA_DIR: dataDir },
    { t },
  );
  const gateway = await startProgram(
    {
      ...SETTINGS,
      ...addresses,
      ROLE: 'gateway',
      COMMUNITY_URL: community.origin,
      DATA_DIR: gatewayDir,
    },
    { t },
  );
  const user = openUser(gateway.origin);
  await signIn(user);
  const [plugins, accounts] = [openLedger(), openLedger()];
  const writers = [startPublishers(user, plugins, 2), startSignUps(gateway.origin, accounts)];
  const lostPlugins = () => findLostWrites(user, plugins, 3);
  const lostAccounts = () => findLostWrites(user, accounts);

  await killRepeatedly(t, [
    {
      name: 'Community service',
      seen: '502 UPSTREAM_UNAVAILABLE',
      logged: '`code: UPSTREAM_UNAVAILABLE` in the request lines',
      ledger: plugins,
      kill: community.kill,
      restart: community.start,
      lost: lostPlugins,
    },
    {
      name: 'Identity',
      seen: '502 UPSTREAM_UNAVAILABLE at sign-in; signed-in users notice nothing',
      logged: '`code: UPSTREAM_UNAVAILABLE` in the request lines',
      ledger: accounts,
      kill: identity.kill,
      restart: identity.start,
      lost: lostAccounts,
    },
    {
      name: 'Gateway',
      seen: 'connection refused until it runs again, or another gateway responds; users stay signed in',
      logged: 'nothing',
      ledger: plugins,
      kill: gateway.kill,
      restart: gateway.start,
      lost: lostPlugins,
    },
  ]);
  await Promise.all(writers.map((writer) => writer.stop()));
  t.strictSame(await findLostWrites(user, plugins), [], 'no acknowledged write is lost');
  for (const program of [gateway, community, identity]) await program.stop();
  t.strictSame(await findInconsistencies({ url, dataDir }, plugins), [], 'no record is incomplete');
  t.strictSame(plugins.unexpected, [], 'no answer is unexpected');
  for (const program of [identity, community, gateway]) t.equal(program.complaints(), '');
});
