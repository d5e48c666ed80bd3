import type { Route } from '../../shared/route.ts';
import { shapeOf } from '../../shared/shape.ts';
import { isFields, tolerant } from '../../shared/tolerant.ts';
import { CHANGES, isNamed, type Known, payloadFor, type UpstreamCall, upstreamCalls } from './calls.ts';
import { type Heard, type Lack, lacksOf } from './compare.ts';
import type { Options } from './options.ts';

/** What was found of a call. `untried`: why it was not tried. */
export type Finding = { call: string; lacks: Lack[]; untried?: string };

/** Bytes of an answer that the gateway reads whole. */
const ANSWER_BYTES = 8 * 1024 * 1024;

/** Tries a service's calls one after another: what visitors read, then what the token opens, then changes. */
export async function tryCalls(options: Options, onFinding: (finding: Finding) => void): Promise<Finding[]> {
  const known: Known = options.pluginKey === undefined ? {} : { pluginKey: options.pluginKey };
  const findings: Finding[] = [];
  const tell = (finding: Finding): void => {
    findings.push(finding);
    onFinding(finding);
  };
  const reads = upstreamCalls().filter(({ route: { method, file } }) => method === 'GET' && !file);
  // Lists come first: the others are tried with what these answer.
  const open = reads.filter(({ route }) => route.access === 'all').sort((a, b) => wants(a) - wants(b));
  for (const call of open) tell(await tryRead(options, call, known, undefined));
  const closed = reads.filter(({ route }) => route.access !== 'all');
  for (const call of closed) {
    if (options.token === undefined) tell(await tryRefusal(options, call));
    else tell(await tryRead(options, call, known, options.token));
  }
  const { token } = options;
  if (options.changes && token !== undefined) {
    for (const change of CHANGES) tell(await tryChange(options, change, known, token));
  }
  return findings;
}

const nameOf = ({ route: { method, path } }: UpstreamCall): string => `${method} ${path}`;
const wants = ({ route }: UpstreamCall): number =>
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
  if (!payload) return { call: nameOf(call), lacks: [], untried: 'the lists hold nothing to try it with' };
  const heard = await ask(options, call.route, { payload, token });
  if (typeof heard === 'string') return { call: nameOf(call), lacks: [noAnswer(heard)] };
  if (token !== undefined && heard.status === 403)
    return { call: nameOf(call), lacks: [], untried: 'the token may not' };
  if (heard.status === 404 && saysNothingThere(heard))
    return { call: nameOf(call), lacks: [], untried: 'the service says that there is none' };
  learn(call, heard, known);
  return { call: nameOf(call), lacks: lacksOf(call.route, heard, { isNamed: isNamed(call) }) };
}

/** Our own words for something that is not there, in place of a call that is not. */
function saysNothingThere({ text }: Heard): boolean {
  const body = parsed(text);
  return isFields(body) && typeof body.code === 'string' && body.code.endsWith('_NOT_FOUND');
}

/** Without a token, a call for users is to say so by its status (specification sections 6 and 8). */
async function tryRefusal(options: Options, call: UpstreamCall): Promise<Finding> {
  const name = nameOf(call);
  const payload = payloadFor(call, { pluginKey: 'AAAAAAAA', articleId: 1 }) ?? {};
  const heard = await ask(options, call.route, { payload, token: undefined });
  if (typeof heard === 'string') return { call: name, lacks: [noAnswer(heard)] };
  if (heard.status === 401)
    return { call: name, lacks: [], untried: 'refused without a token, as it should be' };
  const { status } = heard;
  if (status !== 200)
    return { call: name, lacks: lacksOf(call.route, heard, { isNamed: isNamed(call) }).map(loosely) };
  const text = 'answers 200 without a token in place of 401';
  return { call: name, lacks: [{ kind: 'wrong status', required: true, place: '', text }] };
}

/** Whoever is not signed in cannot tell what a call lacks for those who are. */
const loosely = (lack: Lack): Lack => (lack.kind === 'missing call' ? lack : { ...lack, required: false });

async function tryChange(
  options: Options,
  { operation, body }: (typeof CHANGES)[number],
  { pluginKey }: Known,
  token: string,
): Promise<Finding> {
  const call = upstreamCalls().find((one) => one.operation === operation);
  if (!call) throw new Error(`No call is named ${operation}.`);
  if (pluginKey === undefined) return { call: nameOf(call), lacks: [], untried: 'the list holds no plugin' };
  const heard = await ask(options, call.route, {
    payload: {},
    token,
    body: { plugin_key: pluginKey, ...body },
  });
  if (typeof heard === 'string') return { call: nameOf(call), lacks: [noAnswer(heard)] };
  return { call: nameOf(call), lacks: lacksOf(call.route, heard, { isNamed: true }) };
}

/** Remembers what later calls can be tried with. */
function learn({ operation, route }: UpstreamCall, { text }: Heard, known: Known): void {
  if (!route.data || (operation !== 'listPlugins' && operation !== 'listHelpArticles')) return;
  const body: unknown = parsed(text);
  const data = isFields(body) ? tolerant(shapeOf(route.data), body.data, 'en-US') : undefined;
  if (!isFields(data)) return;
  const [plugin] = Array.isArray(data.plugin_list) ? data.plugin_list : [];
  const [article] = Array.isArray(data.article_list) ? data.article_list : [];
  if (isFields(plugin)) known.pluginKey ??= String(plugin.plugin_key);
  if (isFields(article)) known.articleId ??= Number(article.id);
}

type Asking = { payload: Record<string, string>; token: string | undefined; body?: Record<string, unknown> };

/** The answer, or why there is none that can be read. */
async function ask(
  { baseUrl, timeout }: Options,
  { method, path, params }: Route,
  { payload, token, body }: Asking,
): Promise<Heard | string> {
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
    return `does not come within ${timeout / 1000} s`;
  return 'does not come, or breaks off';
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
