import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import {
  openS3Client,
  S3_TIMEOUTS,
  type S3Settings,
} from '../../../server/community/files/media/s3/client.ts';
import { endChild } from '../../support/child-process.ts';
import { freePort } from '../../support/port.ts';
import { installedProgram, notInstalled } from '../../support/programs.ts';
import { until } from '../../support/until.ts';

/** A real Ceph with its S3 gateway (Debian's packages): one monitor, one store in memory, one gateway. */
export type RadosGateway = {
  /** Keys and bucket of a user. */
  settings: S3Settings;
  bucket(name: string): Promise<S3Settings>;
  /** Sets the quota of the user in bytes. */
  limit(bytes: number): Promise<void>;
  /** Keeps connections open without responses. */
  pause(): void;
  resume(): void;
};

/** Reason of a skipped test. */
export const NO_CEPH = notInstalled('Ceph', 'radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common');

const USER = 'plugin-square';
const run = promisify(execFile);

export function hasCeph(): boolean {
  return ['ceph-osd', 'ceph-mon', 'ceph', 'radosgw'].every((name) => installedProgram(name) !== undefined);
}

type Teardown = { teardown(work: () => Promise<void>): void };

/** Starts a gateway for one test; takes a few seconds and 130 MB. */
export async function startRadosGateway(t: Teardown): Promise<RadosGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-square-ceph-'));
  const children: ChildProcess[] = [];
  t.teardown(async () => {
    for (const child of children.toReversed()) await endChild(child, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  const [monitor, port] = [await freePort(), await freePort()];
  for (const name of ['mon', 'osd', 'rgw', 'run']) await mkdir(join(folder, name));
  const fsid = randomUUID();
  await writeFile(join(folder, 'ceph.conf'), configuration(folder, { fsid, monitor, port }));
  const env = { ...process.env, CEPH_CONF: join(folder, 'ceph.conf') };
  const call = async (program: string, ...args: string[]) => (await run(program, args, { env })).stdout;
  const serve = (program: string, ...args: string[]) => {
    const child = spawn(program, ['-f', ...args], { env, stdio: 'ignore' });
    children.push(child);
    return child;
  };

  const map = join(folder, 'monmap');
  await call('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', `[v2:127.0.0.1:${monitor}]`, map);
  await call('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map);
  serve('ceph-mon', '-i', 'a');
  const osd = randomUUID();
  await call('ceph', 'osd', 'new', osd);
  await call('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd);
  serve('ceph-osd', '-i', '0');
  const keys = {
    accessKeyId: randomBytes(10).toString('hex'),
    secretAccessKey: randomBytes(20).toString('hex'),
  };
  const { accessKeyId, secretAccessKey } = keys;
  const person = ['--uid', USER, '--display-name', USER];
  await call(
    'radosgw-admin',
    'user',
    'create',
    ...person,
    '--access-key',
    accessKeyId,
    '--secret-key',
    secretAccessKey,
  );
  const gateway = serve('radosgw', '-n', 'client.admin');
  const endpoint = `http://127.0.0.1:${port}`;
  await until(() => answers(endpoint));

  async function bucket(name: string): Promise<S3Settings> {
    const settings = { endpoint, bucket: name, region: 'us-east-1', ...keys };
    const client = openS3Client(settings, S3_TIMEOUTS);
    await client.send(new CreateBucketCommand({ Bucket: name }));
    client.destroy();
    return settings;
  }
  return {
    settings: await bucket('files'),
    bucket,
    async limit(bytes) {
      const quota = ['--uid', USER, '--quota-scope', 'user'];
      await call('radosgw-admin', 'quota', 'set', ...quota, '--max-size', String(bytes));
      await call('radosgw-admin', 'quota', bytes < 0 ? 'disable' : 'enable', ...quota);
    },
    pause: () => void gateway.kill('SIGSTOP'),
    resume: () => void gateway.kill('SIGCONT'),
  };
}

type Place = { fsid: string; monitor: number; port: number };

function configuration(folder: string, { fsid, monitor, port }: Place): string {
  return `[global]
fsid = ${fsid}
mon_host = v2:127.0.0.1:${monitor}
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
ms_mon_client_mode = crc
ms_mon_service_mode = crc
ms_mon_cluster_mode = crc
ms_bind_ipv6 = false
public_addr = 127.0.0.1
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
osd_crush_initial_weight = 1
mon_allow_pool_size_one = true
run_dir = ${folder}/run
admin_socket = ${folder}/run/$name.$pid.asok
log_file = /dev/null
[mon]
mon_data = ${folder}/mon
mon_cluster_log_file = /dev/null
mon_data_avail_crit = 1
[osd]
osd_data = ${folder}/osd
osd_objectstore = memstore
[client]
rgw_frontends = beast endpoint=127.0.0.1:${port}
rgw_data = ${folder}/rgw
rgw_thread_pool_size = 16
rgw_bucket_quota_ttl = 0
rgw_user_quota_bucket_sync_interval = 1
`;
}

async function answers(endpoint: string): Promise<boolean> {
  return fetch(endpoint).then(
    ({ ok }) => ok,
    () => false,
  );
}
