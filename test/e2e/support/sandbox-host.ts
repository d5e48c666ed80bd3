import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import type { Snapshot } from '../../../packages/sandbox/document.ts';
import { frameResponse } from '../../../packages/sandbox/frame-response.ts';
import type { SandboxEvent, SandboxOptions } from '../../../packages/sandbox/sandbox.ts';

const SOURCES = new URL('../../../packages/sandbox/', import.meta.url);

/** A host page: `run` starts a plugin on it, `events` is what it was told, `snapshot` its document. */
const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><div id="panel"></div>
<script type="module">
import { applyChanges, createSandbox } from '/sandbox/index.ts';
const host = { events: [], snapshot: { name: 'Page', nodes: [], selection: [] } };
host.run = (options) => {
  host.sandbox?.stop();
  host.events = [];
  host.sandbox = createSandbox({
    ...options,
    container: document.getElementById('panel'),
    title: 'Panel',
    document: {
      read: () => host.snapshot,
      apply: (changes) => { host.snapshot = applyChanges(host.snapshot, changes); },
    },
    onEvent: (event) => host.events.push(event),
  });
};
globalThis.host = host;
</script></html>`;

export type Host = {
  events: SandboxEvent[];
  snapshot: Snapshot;
  sandbox: { stop(): void; refresh(): void } | undefined;
  run(options: Pick<SandboxOptions, 'frame' | 'package' | 'domains' | 'patience'>): void;
};

declare global {
  var host: Host;
}

async function serve(t: Test, hostname: string, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://${hostname}:${port}`;
}

export type Origins = { host: string; frame: string };

/** A host page and the frame document, at two origins. */
export async function startSandboxHost(t: Test): Promise<Origins> {
  const host = await serve(t, 'localhost', async ({ url = '/' }, response) => {
    if (!url.startsWith('/sandbox/'))
      return response.writeHead(200, { 'content-type': 'text/html' }).end(url === '/' ? PAGE : '');
    const source = await readFile(new URL(url.slice('/sandbox/'.length), SOURCES), 'utf8');
    return response.writeHead(200, { 'content-type': 'text/javascript' }).end(stripTypeScriptTypes(source));
  });
  const frame = await serve(t, '127.0.0.1', ({ url = '/' }, response) => {
    const { status, headers, body } = frameResponse(new URL(url, 'http://frame').search, [host]);
    response.writeHead(status, headers).end(body);
  });
  return { host, frame };
}

export type Program = { main: string; ui?: string; domains?: string[]; patience?: number };

/** Starts a plugin on the host page that is open in `page`. */
export async function runPlugin(page: Page, { frame }: Origins, program: Program): Promise<void> {
  const { main, ui, domains = [], patience = 600 } = program;
  const manifest = { name: 'Test', main: 'main.js', ...(ui !== undefined && { ui: 'ui.html' }) };
  await page.waitForFunction(() => 'host' in globalThis);
  await page.evaluate((options) => host.run(options), {
    frame: `${frame}/`,
    package: { manifest, files: { 'main.js': main, ...(ui !== undefined && { 'ui.html': ui }) } },
    domains,
    patience,
  });
}

/** Waits for an event of a kind. */
export async function eventOf<K extends SandboxEvent['kind']>(
  page: Page,
  kind: K,
): Promise<Extract<SandboxEvent, { kind: K }>> {
  const found = await page.waitForFunction(
    (kind) => host.events.find((event) => event.kind === kind || event.kind === 'ended'),
    kind,
  );
  const event = await found.jsonValue();
  if (event?.kind !== kind) throw new Error(`Expected ${kind}, got ${JSON.stringify(event)}`);
  return event as Extract<SandboxEvent, { kind: K }>;
}
