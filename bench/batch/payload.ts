import { once } from 'node:events';
import { request } from 'node:http';

const BOUNDARY = 'batch-boundary';
const FUNCTIONS = 20;

/** A package of about this size with realistic code that does not repeat, so that no check ends early. */
export function packageText(name: string, bytes: number): string {
  const head = {
    format: 'plugin-package',
    formatVersion: 1,
    manifest: {
      name,
      id: name,
      main: 'main.js',
      editorType: ['pixso'],
      networkAccess: { allowedDomains: ['none'] },
    },
    listing: {
      version: '1.0.0',
      intro: { 'en-US': 'Measured' },
      description: { 'en-US': 'Measured at length' },
      contact: 'bench@example.com',
      versionNote: { 'en-US': 'First' },
    },
  };
  const room = Math.min(bytes - 1000, 4_500_000);
  return JSON.stringify({ ...head, files: { 'main.js': codeOf(name, room) } });
}

/** A bundle of modules with the given size after JSON escaping. */
function codeOf(name: string, bytes: number): string {
  const modules: string[] = [];
  let length = 0;
  for (let index = 0; ; index += 1) {
    const lines = Array.from({ length: FUNCTIONS }, (_, at) => functionOf(`${name} ${index}.${at}`, at));
    const module = `modules[${index}] = (exports) => {\n${lines.join('\n')}\n};\n`;
    length += module.length + lines.length + 2;
    if (length > bytes) return `const modules = {};\n${modules.join('')}`;
    modules.push(module);
  }
}

function functionOf(text: string, at: number): string {
  return `  exports.step${at} = function step${at}(node, depth) { return depth > ${at} ? node.children.length : '${text}'; };`;
}

/** A batch whose file parts are generated while it is sent. */
export type Batch = { name: string; parts: { filename: string; chunks: () => Iterable<string> }[] };

/** Sends a batch with backpressure; returns the results. */
export async function sendBatch(
  url: string,
  headers: Record<string, string>,
  { parts }: Batch,
): Promise<{ ok: boolean; errors: unknown[] }[]> {
  const call = request(`${url}/api/cmt/manager/plugins/upload`, {
    method: 'POST',
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  });
  const answered = once(call, 'response');
  const write = async (text: string): Promise<void> => {
    if (!call.write(text)) await once(call, 'drain');
  };
  for (const { filename, chunks } of parts) {
    const disposition = `form-data; name="files"; filename="${filename}"`;
    await write(
      `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\nContent-Type: application/json\r\n\r\n`,
    );
    for (const chunk of chunks()) await write(chunk);
    await write('\r\n');
  }
  call.end(`--${BOUNDARY}--\r\n`);
  const [response] = await answered;
  const text = Buffer.concat(await response.toArray()).toString();
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${text.slice(0, 300)}`);
  return JSON.parse(text).data.results;
}
