import tap from 'tap';
import { type Collector, startCollector } from './collector.ts';
import { ownDemo, type Product } from './product.ts';

type OverseasSite = Product & { collector: Collector };

let started: Promise<OverseasSite> | undefined;

/** The overseas site of this process. Visitors are asked for consent before their events are collected. */
export function sharedOverseasSite(): Promise<OverseasSite> {
  started ??= start();
  return started;
}

async function start(): Promise<OverseasSite> {
  const collector = await startCollector(tap);
  const product = await ownDemo(tap, {
    DEPLOY_TYPE: 'overseas',
    SITE_URL: 'https://site.example',
    COLLECTOR_URL: collector.url,
  });
  return { ...product, collector };
}
