import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from '../figures.ts';
import { load } from './load.ts';
import type { Measured } from './processes.ts';

const MB = 1024 * 1024;
const FILE_BYTES = 200 * MB;
const SETTLE = 3000;
const TURNS = 5;
const WARM_UP_SECONDS = 5;

/** Resident memory of a process in MB. */
function residentOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}

/** Peak memory growth of a process while `work` runs. */
async function growthDuring(pid: number, work: () => Promise<void>): Promise<number> {
  await delay(SETTLE);
  const before = residentOf(pid);
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, residentOf(pid));
  }, 20);
  await work();
  clearInterval(timer);
  return most - before;
}

/** Sends 200 MB of multipart with backpressure. */
async function upload({ url, headers }: Measured): Promise<void> {
  const call = request(`${url}/api/helpcenter/upload/picture`, {
    method: 'POST',
    headers: {
      ...(await headers()),
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': FILE_BYTES,
    },
  });
  const answered = once(call, 'response');
  const block = Buffer.alloc(64 * 1024, 'x');
  for (let sent = 0; sent < FILE_BYTES; sent += block.length) {
    if (!call.write(block)) await once(call, 'drain');
  }
  call.end();
  const [response] = await answered;
  if (response.statusCode !== 200) throw new Error(`the upload was answered ${response.statusCode}`);
  await response.resume().toArray();
}

async function download({ url, headers }: Measured): Promise<void> {
  const call = request(`${url}/api/cmt/manager/plugin/p/download`, { headers: await headers() }).end();
  const [response] = await once(call, 'response');
  let length = 0;
  for await (const chunk of response) length += chunk.length;
  if (length !== FILE_BYTES) throw new Error(`${length} bytes arrived`);
}

/** Opens idle connections; returns how many are still open after a while. */
async function holdConnections({ url }: Measured, count: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  for (let opened = 0; opened < count; opened += 100) {
    const batch = Array.from({ length: 100 }, () => connect(Number(port), hostname));
    for (const socket of batch) socket.on('error', () => undefined).resume();
    await Promise.all(batch.map((socket) => once(socket, 'connect')));
    for (const socket of batch) socket.write('GET / HTTP/1.1\r\nHost: localhost:8080\r\n\r\n');
    sockets.push(...batch);
  }
  await delay(SETTLE);
  const held = sockets.filter((socket) => socket.readyState === 'open').length;
  for (const socket of sockets) socket.destroy();
  return held;
}

export type Memory = { idle: number; upload: number; download: number; held: number; holding: number };

const IDLE_CONNECTIONS = 5000;

/**
 * Memory in MB: idle after some seconds of small calls and a first file each way, growth during each further file, and with
 * 5,000 idle connections. The first calls set the size of V8's heap, which would otherwise count as growth.
 */
export async function memoryOf(measured: Measured): Promise<Memory> {
  await load(measured, WARM_UP_SECONDS);
  await upload(measured);
  await download(measured);
  await delay(SETTLE);
  const idle = residentOf(measured.pid);
  const typical = async (work: (measured: Measured) => Promise<void>): Promise<number> => {
    const growths: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      growths.push(await growthDuring(measured.pid, () => work(measured)));
    }
    return median(growths);
  };
  const uploaded = await typical(upload);
  const downloaded = await typical(download);
  let held = 0;
  const holding = await growthDuring(measured.pid, async () => {
    held = await holdConnections(measured, IDLE_CONNECTIONS);
  });
  return { idle, upload: uploaded, download: downloaded, held, holding };
}
