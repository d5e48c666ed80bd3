import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { selfSigned } from '../../../support/certificate.ts';
import { hasEnded } from '../../../support/child-process.ts';
import { installedProgram, notInstalled } from '../../../support/programs.ts';
import { ATTRIBUTES, IDP, OTHER_SITE, PASSWORD, type SamlPeer, SUBJECT } from './saml-peer.ts';

/** Reason of a skipped test. */
export const NO_PYSAML2 = notInstalled('pysaml2', 'python3-pysaml2', 'xmlsec1');

/** Debian's Python; another one does not find Debian's packages. */
const PYTHON = '/usr/bin/python3';
const PROGRAM = fileURLToPath(new URL('./pysaml2-idp.py', import.meta.url));

/** The program that signs for pysaml2; undefined when one of the two is missing. */
export function pysaml2Program(): string | undefined {
  const hasLibrary = () => spawnSync(PYTHON, ['-c', 'import saml2']).status === 0;
  const xmlsec1 = installedProgram('xmlsec1');
  return xmlsec1 !== undefined && hasLibrary() ? xmlsec1 : undefined;
}

type Teardown = { teardown(work: () => Promise<void>): void };

/** An identity provider with pysaml2 and xmlsec1, in its own process. */
export async function pysaml2Idp(t: Teardown, xmlsec1: string): Promise<SamlPeer> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-square-pysaml2-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const { key, cert } = selfSigned('rsa');
  const files = {
    key: join(folder, 'key.pem'),
    certificate: join(folder, 'certificate.pem'),
    metadata: join(folder, 'site.xml'),
    other_metadata: join(folder, 'other-site.xml'),
  };
  await writeFile(files.key, key);
  await writeFile(files.certificate, cert);
  let ask: ((line: string) => Promise<string>) | undefined;

  return {
    settings: { idp_entity_id: IDP.entityId, idp_sso_url: IDP.ssoUrl, idp_certificates: [cert] },
    async trust(metadata) {
      await writeFile(files.metadata, metadata);
      const other = metadata.replace(/ entityID="[^"]*"/, ` entityID="${OTHER_SITE}"`);
      await writeFile(files.other_metadata, other);
      const about = {
        ...files,
        xmlsec1,
        entity_id: IDP.entityId,
        sso_url: IDP.ssoUrl,
        password: PASSWORD,
        subject: SUBJECT,
        attributes: ATTRIBUTES,
      };
      const child = spawn(PYTHON, [PROGRAM, JSON.stringify(about)], {
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
      t.teardown(async () => {
        child.stdin.end();
        if (!hasEnded(child)) await once(child, 'exit');
      });
      ask = async (line) => {
        child.stdin.write(`${line}\n`);
        const { value } = await lines.next();
        return String(value);
      };
    },
    async answer(address, asked) {
      const request = address.searchParams.get('SAMLRequest');
      const said: unknown = JSON.parse((await ask?.(JSON.stringify({ ...asked, request }))) ?? 'null');
      const { response, error } = Object(said);
      if (typeof response !== 'string') throw new Error(`pysaml2 says ${error}`);
      return response;
    },
  };
}
