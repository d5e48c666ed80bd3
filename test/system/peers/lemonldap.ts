import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endChild, hasEnded } from '../../support/child-process.ts';
import { freePort } from '../../support/port.ts';
import { installedProgram, notInstalled } from '../../support/programs.ts';
import { until } from '../../support/until.ts';

/** A real LemonLDAP::NG with its users of demonstrations (Debian's packages). */
export type LemonLdap = {
  issuer: string;
  /** Signs in `dwho` at an authorization address. @returns the address of the redirect */
  signIn(authorization: URL): Promise<URL>;
  /** Ways in which clients have authenticated, by its log. */
  methods(): string[];
};

/** A client of the provider. */
export type LemonLdapClient = { id: string; secret: string; redirectUri: string };

const PORTAL = '/usr/share/lemonldap-ng/portal';
/** Of all that its OpenID Connect provider needs, Debian's package depends on a part. */
const PACKAGES = [
  'liblemonldap-ng-portal-perl',
  'libcrypt-openssl-bignum-perl',
  'libio-string-perl',
  'libstring-random-perl',
];

/** Reason of a skipped test. */
export const NO_LEMONLDAP = notInstalled('LemonLDAP::NG', ...PACKAGES);

export function lemonLdapProgram(): string | undefined {
  return existsSync(PORTAL) ? installedProgram('plackup') : undefined;
}

type Teardown = { teardown(work: () => Promise<void>): void };

/** Starts a portal for one test, without a web server before it. */
export async function startLemonLdap(
  t: Teardown,
  program: string,
  clients: readonly LemonLdapClient[],
): Promise<LemonLdap> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-square-lemonldap-'));
  for (const name of ['conf', 'sessions', 'lock', 'cache']) await mkdir(join(folder, name));
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  await writeFile(
    join(folder, 'conf', 'lmConf-1.json'),
    JSON.stringify(configuration(folder, issuer, clients)),
  );
  await writeFile(join(folder, 'lemonldap-ng.ini'), localSettings(folder));
  const child = spawn(
    program,
    [
      '--env',
      'deployment',
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      join(PORTAL, 'htdocs', 'index.psgi'),
    ],
    {
      env: { ...process.env, LLNG_DEFAULTCONFFILE: join(folder, 'lemonldap-ng.ini') },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      log += chunk;
    });
  }
  t.teardown(async () => {
    await endChild(child, 'SIGTERM');
    await rm(folder, { recursive: true, force: true });
  });
  await until(async () => {
    if (hasEnded(child)) throw new Error(`LemonLDAP::NG ended: ${log}`);
    return fetch(`${issuer}/.well-known/openid-configuration`).then(
      async ({ ok, status }) => {
        if (!ok) throw new Error(`LemonLDAP::NG answered ${status}: ${log}`);
        return true;
      },
      () => false,
    );
  });
  return {
    issuer,
    async signIn(authorization) {
      const body = new URLSearchParams({ user: 'dwho', password: 'dwho' });
      const answer = await fetch(authorization, { method: 'POST', body, redirect: 'manual' });
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`LemonLDAP::NG answered ${answer.status}: ${log}`);
      return new URL(location);
    },
    methods: () => [...log.matchAll(/Method (\w+) used/g)].map(([, method = '']) => method),
  };
}

function localSettings(folder: string): string {
  return `
[all]
logLevel = debug
logger = Lemonldap::NG::Common::Logger::Std
[configuration]
type = File
dirName = ${folder}/conf
localStorage = Cache::FileCache
localStorageOptions = { 'namespace' => 'conf', 'cache_root' => '${folder}/cache', 'directory_umask' => '007' }
[portal]
templateDir = ${PORTAL}/templates
languages = en
`;
}

function configuration(folder: string, issuer: string, clients: readonly LemonLdapClient[]) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const sessions = {
    Directory: join(folder, 'sessions'),
    LockDirectory: join(folder, 'lock'),
    generateModule: 'Lemonldap::NG::Common::Apache::Session::Generate::SHA256',
  };
  return {
    cfgNum: 1,
    cfgAuthor: 'test',
    cfgDate: '1',
    cfgVersion: '2.16.1',
    portal: `${issuer}/`,
    domain: 'localhost',
    cookieName: 'lemonldap',
    authentication: 'Demo',
    userDB: 'Same',
    passwordDB: 'Demo',
    registerDB: 'Null',
    demoExportedVars: { cn: 'cn', mail: 'mail', uid: 'uid' },
    macros: { _whatToTrace: 'lc($_user)' },
    whatToTrace: '_whatToTrace',
    // The default draws pictures and needs more packages, though no form asks for one.
    captcha: '::Main::Plugin',
    requireToken: 0,
    globalStorage: 'Apache::Session::File',
    globalStorageOptions: sessions,
    persistentStorage: 'Apache::Session::File',
    persistentStorageOptions: sessions,
    localSessionStorage: '',
    locationRules: {},
    issuerDBOpenIDConnectActivation: 1,
    issuerDBOpenIDConnectPath: '^/oauth2/',
    issuerDBOpenIDConnectRule: 1,
    oidcServiceMetaDataIssuer: issuer,
    oidcServiceAllowAuthorizationCodeFlow: 1,
    oidcServicePrivateKeySig: privateKey.export({ type: 'pkcs1', format: 'pem' }),
    oidcServicePublicKeySig: publicKey.export({ type: 'spki', format: 'pem' }),
    oidcServiceKeyIdSig: 'of-the-test',
    oidcRPMetaDataOptions: Object.fromEntries(
      clients.map(({ id, secret, redirectUri }) => [
        id,
        {
          oidcRPMetaDataOptionsClientID: id,
          oidcRPMetaDataOptionsClientSecret: secret,
          oidcRPMetaDataOptionsRedirectUris: redirectUri,
          oidcRPMetaDataOptionsIDTokenSignAlg: 'RS256',
          oidcRPMetaDataOptionsUserIDAttr: 'uid',
          oidcRPMetaDataOptionsBypassConsent: 1,
        },
      ]),
    ),
    oidcRPMetaDataExportedVars: Object.fromEntries(
      clients.map(({ id }) => [id, { email: 'mail', name: 'cn', preferred_username: 'uid' }]),
    ),
  };
}
