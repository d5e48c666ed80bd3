import t from 'tap';
import { loadConfig } from '../../server/config.ts';
import { ENV, readCompose } from './compose-file.ts';

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
    redisUrl: 'redis://redis:6379',
    upstreams: { community: 'http://front:8090', identity: 'http://identity:8080' },
  });
  t.strictSame(services['gateway-1'], services['gateway-2']);
  t.strictSame(services['community-1'], services['community-2']);
});

t.test('no service starts before its dependencies are healthy', async (t) => {
  for (const [name, { depends_on = {} }] of Object.entries(services)) {
    for (const [needed, { condition }] of Object.entries(depends_on)) {
      const once = needed === 's3-bucket';
      t.equal(condition, once ? 'service_completed_successfully' : 'service_healthy', `${name} → ${needed}`);
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

t.test('only the front is reachable from outside', async (t) => {
  const open = Object.entries(services).filter(([, { ports }]) => ports !== undefined);
  t.strictSame(
    open.map(([name]) => name),
    ['front'],
  );
  t.equal(networks.inside?.internal, true);
  for (const [name, service] of Object.entries(services)) {
    t.equal(service.networks?.includes('outside') ?? false, name === 'front', name);
  }
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
