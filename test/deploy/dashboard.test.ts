import { readFileSync } from 'node:fs';
import { collectDefaultMetrics, Registry } from 'prom-client';
import t from 'tap';
import { createGatewayMetrics } from '../../server/gateway/metrics.ts';

type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] };

t.test('the dashboard uses existing metrics', async (t) => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  createGatewayMetrics(registry).setRedis(true);
  const known = new Set(registry.getMetricsAsArray().map(({ name }) => name));
  const text = readFileSync(new URL('../../deploy/grafana-dashboard.json', import.meta.url), 'utf8');
  const { panels }: Dashboard = JSON.parse(text);
  t.ok(panels.length > 0);
  for (const { title, targets } of panels) {
    for (const { expr } of targets) {
      const names = expr.match(/\b(?:bff|process|nodejs)_\w+/g) ?? [];
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
