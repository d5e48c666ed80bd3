import t from 'tap';
import { loadConfig } from '../../server/config.ts';
import { analyticsOf } from '../../server/gateway/pages/render.ts';
import { DEPLOY_TYPES } from '../../shared/deploy-types.ts';

const COLLECTOR = { COLLECTOR_URL: 'http://collector.example/sa', PRODUCT: '7' };

t.test('events are collected if law and deploy type allow it', async (t) => {
  for (const type of DEPLOY_TYPES) {
    const when = { domestic: 'always', overseas: 'with-consent' }[String(type)] ?? null;
    t.strictSame(
      analyticsOf(loadConfig({ DEPLOY_TYPE: type, ...COLLECTOR })),
      when && { when, product: '7' },
      type,
    );
  }
});

t.test('no events without a collector', async (t) => {
  for (const type of DEPLOY_TYPES) t.equal(analyticsOf(loadConfig({ DEPLOY_TYPE: type })), null, type);
});
