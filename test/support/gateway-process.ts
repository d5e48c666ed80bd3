import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from '../../server/launch/node.js';

export type GatewayProcess = {
  url: string;
  pid: number;
  /** Its whole output, including the log. */
  output(): string;
  /** Advances its clock by milliseconds. */
  setAhead(milliseconds: number): void;
  stop(): Promise<void>;
};

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = fileURLToPath(new URL('serve-gateway.ts', import.meta.url));

/**
 * A gateway in its own process, with the environment of the launcher.
 * @param keepOutput false: its log is read and thrown away
 */
export async function spawnGateway(
  settings: Readonly<Record<string, string>>,
  { execArgv = [], keepOutput = true }: { execArgv?: string[]; keepOutput?: boolean } = {},
): Promise<GatewayProcess> {
  const env = programEnvironment(ROOT, { PATH: process.env.PATH, ...settings });
  const child = fork(PROGRAM, [], { env, execArgv, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    if (keepOutput) text += chunk;
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  // Its last output may be read after its exit. The child's own 'close' does not come after `disconnect`.
  const exited = Promise.all([
    once(child, 'exit'),
    child.stdout && once(child.stdout, 'close'),
    child.stderr && once(child.stderr, 'close'),
  ]);
  const [message] = await Promise.race([
    once(child, 'message'),
    exited.then(() => Promise.reject(new Error(`the gateway ended: ${text}`))),
  ]);
  return {
    url: message.url,
    pid: child.pid ?? 0,
    output: () => text,
    setAhead: (ahead) => void child.send({ ahead }),
    async stop() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
