import type { FastifyInstance } from 'fastify';
import { createApp } from '../http/app.ts';
import { account } from './account/plugin.ts';
import { catalogue } from './catalogue/plugin.ts';
import { type CommunityOptions, context } from './context.ts';
import { curation } from './curation/plugin.ts';
import { files } from './files/plugin.ts';
import { help } from './help/plugin.ts';
import { people } from './people/plugin.ts';
import { publishing } from './publishing/plugin.ts';
import { review } from './review/plugin.ts';
import { sweeping } from './sweep/plugin.ts';
import { use } from './use/plugin.ts';

/** The community service with all its routes of the contract (R 14.3). */
export async function createCommunity(options: CommunityOptions): Promise<FastifyInstance> {
  const { log, trustProxy = ['loopback'] } = options;
  const app = createApp({ log, trustProxy });
  await app.register(context, options);
  await app.register(files);
  await app.register(people);
  await app.register(catalogue);
  await app.register(use);
  await app.register(publishing);
  await app.register(review);
  await app.register(curation);
  await app.register(help);
  await app.register(account);
  await app.register(sweeping);
  return app;
}
