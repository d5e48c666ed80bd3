import t from 'tap';
import { testFolder } from '../support/community.ts';
import { testDatabase } from '../support/database.ts';
import { openLedger } from './support/ledger.ts';
import { mortal } from './support/mortal.ts';
import { openPerson, SETTINGS, signIn } from './support/person.ts';
import { killInTurns } from './support/rounds.ts';
import { lostAt, wrongIn } from './support/whole.ts';
import { newcomers, publishers } from './support/writer.ts';

t.test('kill -9 of community, identity and gateway, each alone, while people write', async (t) => {
  const { url } = await testDatabase(t, { name: 'kill_services' });
  const [dataDir, identityDir, gatewayDir] = [await testFolder(t), await testFolder(t), await testFolder(t)];
  const given = { ...SETTINGS, DATABASE_URL: url };
  const identity = await mortal(t, { ...given, ROLE: 'identity', DATA_DIR: identityDir });
  const addresses = { IDENTITY_URL: identity.origin };
  const community = await mortal(t, { ...given, ...addresses, ROLE: 'community', DATA_DIR: dataDir });
  const gateway = await mortal(t, {
    ...SETTINGS,
    ...addresses,
    ROLE: 'gateway',
    COMMUNITY_URL: community.origin,
    DATA_DIR: gatewayDir,
  });
  const person = openPerson(gateway.origin);
  await signIn(person);
  const [plugins, accounts] = [openLedger(), openLedger()];
  const writers = [publishers(person, plugins, 2), newcomers(gateway.origin, accounts)];
  const lostPlugins = () => lostAt(person, plugins, 3);
  const lostAccounts = () => lostAt(person, accounts);

  await killInTurns(t, [
    {
      name: 'Community service',
      seen: '502 UPSTREAM_UNAVAILABLE',
      logged: 'nothing of its own; `code: UPSTREAM_UNAVAILABLE` on the lines of requests',
      ledger: plugins,
      kill: community.kill,
      revive: community.start,
      lost: lostPlugins,
    },
    {
      name: 'Identity',
      seen: '502 UPSTREAM_UNAVAILABLE at sign-in; whoever is signed in notices nothing',
      logged: '`code: UPSTREAM_UNAVAILABLE` on the lines of requests',
      ledger: accounts,
      kill: identity.kill,
      revive: identity.start,
      lost: lostAccounts,
    },
    {
      name: 'Gateway',
      seen: 'connection refused until it runs again, or the next gateway; people stay signed in',
      logged: 'nothing',
      ledger: plugins,
      kill: gateway.kill,
      revive: gateway.start,
      lost: lostPlugins,
    },
  ]);
  await Promise.all(writers.map((writer) => writer.stop()));
  t.strictSame(await lostAt(person, plugins), [], 'everything that was acknowledged is there');
  t.strictSame(await wrongIn({ url, dataDir }, plugins), [], 'and nothing is half there');
  t.strictSame(plugins.odd, [], 'what was answered meanwhile is clear');
  for (const program of [identity, community, gateway]) t.equal(program.complaints(), '');
});
