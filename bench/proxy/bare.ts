/** The reference for the others: @fastify/http-proxy without session and log. */

import httpProxy from '@fastify/http-proxy';
import Fastify from 'fastify';
import { portOf } from '../../test/support/port.ts';

const app = Fastify();
await app.register(httpProxy, { upstream: process.argv[2] ?? '' });
await app.listen({ host: '127.0.0.1', port: 0 });
process.on('disconnect', () => process.exit(0));
process.send?.({ url: `http://127.0.0.1:${portOf(app.server)}` });
