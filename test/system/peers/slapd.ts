import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSigned } from '../../support/certificate.ts';
import { endChild, hasEnded } from '../../support/child-process.ts';
import { freePort } from '../../support/port.ts';
import { installedProgram, notInstalled } from '../../support/programs.ts';
import { until } from '../../support/until.ts';

/** A real OpenLDAP with users (Debian's slapd), running without root privileges. */
export type Slapd = {
  /** Plain text, and for StartTLS. */
  url: string;
  ldapsUrl: string;
  /** File of the certificate authority. */
  caFile: string;
  start(): Promise<void>;
  /** Breaks all connections. */
  kill(): Promise<void>;
};

export const BASE_DN = 'dc=example,dc=org';
export const SERVICE = { dn: `cn=search,${BASE_DN}`, password: 'search-only' };
export const GROUPS_DN = `ou=groups,${BASE_DN}`;

/** Reason of a skipped test. */
export const NO_SLAPD = notInstalled('slapd', 'slapd');

const NOBODY = 65534;

export function slapdProgram(): string | undefined {
  return installedProgram('slapd');
}

type Teardown = { teardown(work: () => Promise<void>): void };

/** Starts a directory for one test with `people` (LDIF entries below ou=people). */
export async function startSlapd(t: Teardown, program: string, people: string): Promise<Slapd> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-square-slapd-'));
  const caFile = join(folder, 'certificate.pem');
  const pidFile = join(folder, 'slapd.pid');
  const { key, cert } = selfSigned();
  await writeFile(caFile, cert);
  await writeFile(join(folder, 'key.pem'), key);
  await writeFile(join(folder, 'slapd.conf'), configuration(folder));
  await writeFile(join(folder, 'people.ldif'), `${TREE}\n${people}`);
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  if (isRoot) run('chown', ['-R', `${NOBODY}:${NOBODY}`, folder], {});
  run(program, ['-T', 'add', '-f', join(folder, 'slapd.conf'), '-l', join(folder, 'people.ldif')], owner);
  const [port, tlsPort] = [await freePort(), await freePort()];
  const url = `ldap://127.0.0.1:${port}`;
  const ldapsUrl = `ldaps://127.0.0.1:${tlsPort}`;
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const args = ['-h', `${url} ${ldapsUrl}`, '-f', join(folder, 'slapd.conf'), '-d', '0'];
    await rm(pidFile, { force: true });
    const started = spawn(program, args, { stdio: 'ignore', ...owner });
    child = started;
    // It writes the file once the ports are its own; another program may have taken one, and answer there.
    await until(async () => hasEnded(started) || (existsSync(pidFile) && answers(port)));
    if (hasEnded(started)) throw new Error(`slapd ended with ${started.exitCode ?? started.signalCode}`);
  }
  async function kill(): Promise<void> {
    if (child) await endChild(child, 'SIGKILL');
  }
  await start();
  t.teardown(async () => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    url,
    ldapsUrl,
    caFile,
    start,
    kill,
  };
}

function configuration(folder: string): string {
  return `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
moduleload ppolicy
TLSCertificateFile ${folder}/certificate.pem
TLSCertificateKeyFile ${folder}/key.pem
TLSCACertificateFile ${folder}/certificate.pem
pidfile ${folder}/slapd.pid
database mdb
suffix "${BASE_DN}"
directory ${folder}
index uid,mail,member eq
overlay memberof
overlay ppolicy
ppolicy_default "cn=policy,${BASE_DN}"
access to attrs=userPassword by anonymous auth by * none
access to dn.subtree="${BASE_DN}" by dn.exact="${SERVICE.dn}" read by anonymous auth by self read by * none
`;
}

const TREE = `dn: ${BASE_DN}
objectClass: dcObject
objectClass: organization
dc: example
o: Example

dn: ${SERVICE.dn}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: search
userPassword: ${SERVICE.password}

dn: cn=policy,${BASE_DN}
objectClass: organizationalRole
objectClass: pwdPolicy
cn: policy
pwdAttribute: userPassword
pwdLockout: TRUE
pwdMaxAge: 86400

dn: ou=people,${BASE_DN}
objectClass: organizationalUnit
ou: people

dn: ${GROUPS_DN}
objectClass: organizationalUnit
ou: groups
`;

function run(program: string, args: string[], owner: { uid?: number; gid?: number }): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', ...owner });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
