import { createSocket } from 'node:dgram';

/** The part of a tap test that is used here. */
interface Teardown {
  teardown(handler: () => Promise<void> | void): void;
}

const HEADER = 12;
const TXT = 16;
/** Flags of a reply (RFC 1035 section 4.1.1), and its code for a name that does not exist. */
const REPLY = 0x8180;
const NO_SUCH_NAME = 3;

/**
 * A name server that knows TXT records.
 * @param records texts by name; they may change meanwhile
 * @returns its address, as setting VERIFY_RESOLVER has it
 */
export async function fakeDns(t: Teardown, records: ReadonlyMap<string, readonly string[]>): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, end } = nameIn(query);
    const texts = query.readUInt16BE(end) === TXT ? (records.get(name) ?? []) : [];
    socket.send(replyTo(query, end + 4, texts), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  t.teardown(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

/** The name that is asked for, and where it ends. */
function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function replyTo(query: Buffer, end: number, texts: readonly string[]): Buffer {
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(texts.length > 0 ? REPLY : REPLY | NO_SUCH_NAME, 2);
  head.writeUInt16BE(texts.length, 6);
  head.writeUInt32BE(0, 8);
  const answers = texts.map((text) => {
    const data = Buffer.from(text);
    const answer = Buffer.alloc(HEADER + 1);
    // A pointer to the name of the question (RFC 1035 section 4.1.4), type, class IN, no caching, lengths.
    answer.writeUInt16BE(0xc000 | HEADER, 0);
    answer.writeUInt16BE(TXT, 2);
    answer.writeUInt16BE(1, 4);
    answer.writeUInt16BE(data.length + 1, 10);
    answer.writeUInt8(data.length, 12);
    return Buffer.concat([answer, data]);
  });
  return Buffer.concat([head, ...answers]);
}
