/** Express with http-proxy-middleware and keep-alive to the upstream. */

import { once } from 'node:events';
import { Agent } from 'node:http';
import { createRequire } from 'node:module';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { portOf } from '../../test/support/port.ts';

/** This package has no types. */
const express = createRequire(import.meta.url)('express');
const app = express();
app.use(
  createProxyMiddleware({
    target: process.argv[2] ?? '',
    changeOrigin: true,
    agent: new Agent({ keepAlive: true }),
  }),
);
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
process.on('disconnect', () => process.exit(0));
process.send?.({ url: `http://127.0.0.1:${portOf(server)}` });
