import { spawnSync } from 'node:child_process';
import t from 'tap';
import packageJson from '../../../package.json' with { type: 'json' };
import { testFolder } from '../../support/community.ts';
import { startProgram } from '../../support/program.ts';
import { installedProgram, notInstalled } from '../../support/programs.ts';
import { until } from '../../support/until.ts';
import { openLedger } from '../faults/support/ledger.ts';
import { ADMIN, openUser, SETTINGS, signIn } from '../faults/support/user.ts';
import { startPublishers } from '../faults/support/writers.ts';

const promtool = installedProgram('promtool');
const skip = promtool ? false : notInstalled('promtool', 'prometheus');

t.test('metrics of all services', async (t) => {
  const program = await startProgram({ ...SETTINGS, DATA_DIR: await testFolder(t) }, { t });
  const scrape = async () => (await fetch(`${program.opsOrigin}/metrics`)).text();
  const sampleOf = (text: string, series: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    );
  const user = openUser(program.origin);
  await t.rejects(signIn(openUser(program.origin), { ...ADMIN, password: 'another-one-entirely' }));
  await signIn(user);
  const ledger = openLedger();
  const writers = startPublishers(user, ledger, 1);
  await until(() => ledger.versions.length >= 2);
  await writers.stop();
  const refused = await user.submit('POST', '/api/cmt/plugin', new FormData());
  t.equal(refused.status, 422);

  await t.test('say what users, publishers and reviewers do', async (t) => {
    const text = await scrape();
    t.equal(sampleOf(text, 'identity_sign_in_total{method="local",outcome="success"}'), 1);
    t.equal(sampleOf(text, 'identity_sign_in_total{method="local",outcome="refused"}'), 1);
    const accepted = sampleOf(text, 'community_publish_total{outcome="accepted"}');
    t.equal(accepted, ledger.versions.length);
    t.equal(sampleOf(text, 'community_publish_total{outcome="refused"}'), 1);
    t.equal(sampleOf(text, 'community_publish_total{outcome="failed"}'), 0);
    t.ok(sampleOf(text, 'community_review_decisions_total{decision="approved"}') > 0);
    t.equal(sampleOf(text, 'community_review_decisions_total{decision="rejected"}'), 0);
  });

  await t.test('say how long the database and the queues are', async (t) => {
    for (const name of [
      'community_search_pending',
      'community_mails_pending',
      'community_covers_pending',
      'identity_mails_waiting',
    ])
      await until(async () => sampleOf(await scrape(), name) >= 0);
    const text = await scrape();
    for (const service of ['community', 'identity']) {
      t.ok(sampleOf(text, `${service}_database_connections{state="idle"}`) > 0);
      t.equal(sampleOf(text, `${service}_database_waiting`), 0);
      t.ok(sampleOf(text, `${service}_database_wait_seconds_count`) > 0);
    }
  });

  await t.test('say which version runs', async (t) => {
    t.equal(sampleOf(await scrape(), `plugin_square_info{version="${packageJson.version}",role="all"}`), 1);
  });

  await t.test('have names that promtool accepts', { skip }, async (t) => {
    const { status, stdout, stderr } = spawnSync(promtool ?? '', ['check', 'metrics'], {
      input: await scrape(),
      encoding: 'utf8',
    });
    t.strictSame({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' });
  });
});
