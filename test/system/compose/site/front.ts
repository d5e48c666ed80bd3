import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { selfSigned } from '../../../support/certificate.ts';

const FRONT = new URL('../../../../deploy/compose/front.conf', import.meta.url);

export type FrontPorts = {
  http: number;
  https: number;
  inside: number;
  services: Readonly<Record<string, number>>;
};

/**
 * The front's configuration for a machine without Compose's network: names of services become local ports. Debian's
 * nginx is older than the one of compose.yaml, with another syntax for HTTP/2 and without DNS resolution.
 * @returns its file and the certificate
 */
export async function writeFront(
  folder: string,
  { http, https, inside, services }: FrontPorts,
): Promise<{ file: string; cert: string }> {
  const { cert, key } = selfSigned('ec', ['localhost']);
  const tls = join(folder, 'tls');
  await mkdir(tls);
  await writeFile(join(tls, 'site.crt'), cert);
  await writeFile(join(tls, 'site.key'), key);
  const text = readFileSync(FRONT, 'utf8')
    .replace(/^resolver .*\n/m, '')
    .replaceAll(/server ([\w-]+):8080 resolve/g, (_all, name: string) => `server 127.0.0.1:${services[name]}`)
    .replace('listen 80;', `listen 127.0.0.1:${http};`)
    .replace('listen 443 ssl;\n  http2 on;', `listen 127.0.0.1:${https} ssl http2;`)
    .replace('listen 172.30.90.250:8090;', `listen 127.0.0.1:${inside};`)
    .replaceAll('/etc/nginx/tls', tls);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ');
  const file = join(folder, 'nginx.conf');
  await writeFile(
    file,
    `daemon off;
user root;
pid ${folder}/nginx.pid;
events {}
http { access_log off; ${temporary}
${text}}
`,
  );
  return { file, cert };
}
