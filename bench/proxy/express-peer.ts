/** A gateway built from packages: session, CSRF check, header lists, JSON log and metrics, on Express. */

import { once } from 'node:events';
import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { pinoHttp } from 'pino-http';
import { Histogram } from 'prom-client';
import { portOf } from '../../test/support/port.ts';
import { REQUEST_HEADERS, RESPONSE_HEADERS, TOKENS } from './peer-rules.ts';

type Request = IncomingMessage & { session: { tokens?: typeof TOKENS } };

/** These packages have no types. */
const require = createRequire(import.meta.url);
const express = require('express');
const cookieSession = require('cookie-session');

const duration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Duration of requests',
  labelNames: ['method', 'status'],
});
const app = express();
app.use(pinoHttp());
app.use((request: Request, response: ServerResponse, next: () => void) => {
  const end = duration.startTimer();
  response.once('finish', () => end({ method: request.method ?? '', status: response.statusCode }));
  next();
});
app.use(cookieSession({ name: 'session', keys: ['7'.repeat(32)] }));
app.get('/login', (request: Request, response: ServerResponse) => {
  request.session.tokens = TOKENS;
  response.end();
});
app.use((request: Request, response: ServerResponse, next: () => void) => {
  if (request.headers['x-requested-with'] === undefined) response.writeHead(403).end();
  else if (!request.session.tokens) response.writeHead(401).end();
  else next();
});
app.use(
  createProxyMiddleware<Request, ServerResponse>({
    target: process.argv[2] ?? '',
    changeOrigin: true,
    agent: new Agent({ keepAlive: true }),
    on: {
      proxyReq: (outgoing, request) => {
        const kept = new Set([...REQUEST_HEADERS, 'host', 'connection']);
        for (const name of outgoing.getHeaderNames()) if (!kept.has(name)) outgoing.removeHeader(name);
        outgoing.setHeader('authorization', `Bearer ${request.session.tokens?.access}`);
      },
      proxyRes: (incoming) => {
        const kept = new Set([...RESPONSE_HEADERS, 'connection', 'transfer-encoding']);
        for (const name of Object.keys(incoming.headers)) if (!kept.has(name)) delete incoming.headers[name];
      },
    },
  }),
);
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
process.on('disconnect', () => process.exit(0));
process.send?.({ url: `http://127.0.0.1:${portOf(server)}` });
