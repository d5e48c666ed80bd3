import type { Route } from '../../shared/route.ts';
import { shapeOf } from '../../shared/shape.ts';
import { isFields, tolerant } from '../../shared/tolerant.ts';
import { CHANGES, isNamed, type Known, payloadFor, type UpstreamCall, upstreamCalls } from './calls.ts';
import { type Lack, lacksOf, type Received } from './compare.ts';
import type { Options } from './options.ts';

/** Result of a call. `untried`: why it was not tried. */
export type Finding = { call: string; lacks: Lack[]; untried?: string };

/** Largest answer in bytes that the gateway buffers. */
const ANSWER_BYTES = 8 * 1024 * 1024;

/** Tries the calls of a service one after another: reads of visitors, then those of the token, then changes. */
export async function tryCalls(options: Options, onFinding: (finding: Finding) => void): Promise<Finding[]> {
  const known: Known = options.pluginKey === undefined ? {} : { pluginKey: options.pluginKey };
  const findings: Finding[] = [];
  const report = (finding: Finding): void => {
    findings.push(finding);
    onFinding(finding);
  };
  const reads = upstreamCalls().filter(({ route: { method, file } }) => method === 'GET' && !file);
  // Lists first: other calls need their keys and ids.
  const open = reads
    .filter(({ route }) => route.access === 'all')
    .sort((a, b) => neededKeys(a) - neededKeys(b));
  for (const call of open) report(await tryRead(options, call, known, undefined));
  const closed = reads.filter(({ route }) => route.access !== 'all');
  for (const call of closed) {
    if (options.token === undefined) report(await tryRefusal(options, call));
    else report(await tryRead(options, call, known, options.token));
  }
  const { token } = options;
  if (options.changes && token !== undefined) {
    for (const change of CHANGES) report(await tryChange(options, change, known, token));
  }
  return findings;
}

const nameOf = ({ route: { method, path } }: UpstreamCall): string => `${method} ${path}`;
const neededKeys = ({ route }: UpstreamCall): number =>
  Object.keys(route.params?.properties ?? route.query?.properties ?? {}).filter((name) =>
    ['plugin_key', 'id'].includes(name),
  ).length;

async function tryRead(
  options: Options,
  call: UpstreamCall,
  known: Known,
  token: string | undefined,
): Promise<Finding> {
  const payload = payloadFor(call, known);
  if (!payload) return { call: nameOf(call), lacks: [], untried: 'the lists have no entry to try it with' };
  const received = await send(options, call.route, { payload, token });
  if (typeof received === 'string') return { call: nameOf(call), lacks: [noAnswer(received)] };
  if (token !== undefined && received.status === 403)
    return { call: nameOf(call), lacks: [], untried: 'the token has no permission' };
  if (received.status === 404 && isNotFound(received))
    return { call: nameOf(call), lacks: [], untried: 'the service answers that there is none' };
  storeKeys(call, received, known);
  return { call: nameOf(call), lacks: lacksOf(call.route, received, { isNamed: isNamed(call) }) };
}

/** Our own error codes for missing data, as opposed to a missing call. */
function isNotFound({ text }: Received): boolean {
  const body = parsed(text);
  return isFields(body) && typeof body.code === 'string' && body.code.endsWith('_NOT_FOUND');
}

/** Without a token, a call for users must answer 401 (R 1.4). */
async function tryRefusal(options: Options, call: UpstreamCall): Promise<Finding> {
  const name = nameOf(call);
  const payload = payloadFor(call, { pluginKey: 'AAAAAAAA', articleId: 1 }) ?? {};
  const received = await send(options, call.route, { payload, token: undefined });
  if (typeof received === 'string') return { call: name, lacks: [noAnswer(received)] };
  if (received.status === 401)
    return { call: name, lacks: [], untried: 'refused without a token, as it should be' };
  const { status } = received;
  if (status !== 200)
    return { call: name, lacks: lacksOf(call.route, received, { isNamed: isNamed(call) }).map(asOptional) };
  const text = 'answers 200 without a token instead of 401';
  return { call: name, lacks: [{ kind: 'wrong status', required: true, place: '', text }] };
}

/** Without a token nothing is known about the answer to users. */
const asOptional = (lack: Lack): Lack => (lack.kind === 'missing call' ? lack : { ...lack, required: false });

async function tryChange(
  options: Options,
  { operation, body }: (typeof CHANGES)[number],
  { pluginKey }: Known,
  token: string,
): Promise<Finding> {
  const call = upstreamCalls().find((one) => one.operation === operation);
  if (!call) throw new Error(`No call is named ${operation}.`);
  if (pluginKey === undefined) return { call: nameOf(call), lacks: [], untried: 'the list has no plugin' };
  const received = await send(options, call.route, {
    payload: {},
    token,
    body: { plugin_key: pluginKey, ...body },
  });
  if (typeof received === 'string') return { call: nameOf(call), lacks: [noAnswer(received)] };
  return { call: nameOf(call), lacks: lacksOf(call.route, received, { isNamed: true }) };
}

/** Stores keys and ids for later calls. */
function storeKeys({ operation, route }: UpstreamCall, { text }: Received, known: Known): void {
  if (!route.data || (operation !== 'listPlugins' && operation !== 'listHelpArticles')) return;
  const body: unknown = parsed(text);
  const data = isFields(body) ? tolerant(shapeOf(route.data), body.data, 'en-US') : undefined;
  if (!isFields(data)) return;
  const [plugin] = Array.isArray(data.plugin_list) ? data.plugin_list : [];
  const [article] = Array.isArray(data.article_list) ? data.article_list : [];
  if (isFields(plugin)) known.pluginKey ??= String(plugin.plugin_key);
  if (isFields(article)) known.articleId ??= Number(article.id);
}

type RequestOptions = {
  payload: Record<string, string>;
  token: string | undefined;
  body?: Record<string, unknown>;
};

/** The answer, or why it cannot be read. */
async function send(
  { baseUrl, timeout }: Options,
  { method, path, params }: Route,
  { payload, token, body }: RequestOptions,
): Promise<Received | string> {
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(payload[name] ?? ''),
  );
  const query = Object.entries(payload).filter(([name]) => !Object.hasOwn(params?.properties ?? {}, name));
  const search = query.length > 0 ? `?${new URLSearchParams(query)}` : '';
  try {
    const answer = await fetch(`${baseUrl}${filled}${search}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
      headers: {
        accept: 'application/json',
        'accept-language': 'en-US',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await readWhole(answer) };
  } catch (error) {
    return reasonOf(error, timeout);
  }
}

async function readWhole({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > ANSWER_BYTES) throw new RangeError('is larger than 8 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function reasonOf(error: unknown, timeout: number): string {
  if (error instanceof RangeError) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError')
    return `did not arrive within ${timeout / 1000} s`;
  return 'did not arrive or was cut off';
}

const noAnswer = (text: string): Lack => ({
  kind: 'no answer',
  required: true,
  place: '',
  text: `the answer ${text}`,
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
