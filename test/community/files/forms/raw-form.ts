import { connect } from 'node:net';

const BOUNDARY = 'x-boundary-x';

export type RawPart = { headers: string[]; content: string };

/** The bytes of a form, part by part as given. */
export function rawForm(parts: readonly RawPart[], end = `--${BOUNDARY}--\r\n`): Buffer {
  const texts = parts.map(
    ({ headers, content }) => `--${BOUNDARY}\r\n${headers.join('\r\n')}\r\n\r\n${content}\r\n`,
  );
  return Buffer.from(texts.join('') + end);
}

export function fieldPart(name: string, content: string): RawPart {
  return { headers: [`Content-Disposition: form-data; name="${name}"`], content };
}

export function filePart(name: string, content: string, filename = 'file.bin'): RawPart {
  return {
    headers: [
      `Content-Disposition: form-data; name="${name}"; filename="${filename}"`,
      'Content-Type: text/plain',
    ],
    content,
  };
}

export type RawCall = {
  path: string;
  method?: string;
  headers?: string[];
  body: Buffer;
  /** Sent of the body; all unless given. */
  upTo?: number;
  /** What follows the part that is sent: the connection is cut, half closed, or left as it is. */
  then?: 'cut' | 'half-close' | 'wait';
  length?: number | 'chunked';
  type?: string;
};

/** Sends a form byte by byte as told and answers all that came back until the connection ended or a whole answer was there. */
export function sendRaw(port: number, call: RawCall): Promise<string> {
  const { body, upTo = body.length, then = 'wait', length = body.length } = call;
  const head = [
    `${call.method ?? 'POST'} ${call.path} HTTP/1.1`,
    'Host: localhost',
    `Content-Type: ${call.type ?? `multipart/form-data; boundary=${BOUNDARY}`}`,
    length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    ...(call.headers ?? ['Authorization: Bearer x']),
  ];
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    const end = (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('error', () => undefined);
    socket.on('close', end);
    socket.on('data', (chunk) => {
      answer += chunk;
      const [, bytes] = /content-length: (\d+)/i.exec(answer) ?? [];
      const start = answer.indexOf('\r\n\r\n') + 4;
      if (bytes !== undefined && start > 3 && Buffer.byteLength(answer.slice(start)) >= Number(bytes)) end();
    });
    const sent = body.subarray(0, upTo);
    const framed =
      length === 'chunked'
        ? Buffer.concat([Buffer.from(`${sent.length.toString(16)}\r\n`), sent, Buffer.from('\r\n')])
        : sent;
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(framed, () => {
      if (then === 'cut') socket.destroy();
      if (then === 'half-close') socket.end();
    });
  });
}

export function bodyOf(answer: string): { status: number; json: unknown } {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
  const text = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  return { status, json: text.startsWith('{') ? JSON.parse(text) : null };
}
