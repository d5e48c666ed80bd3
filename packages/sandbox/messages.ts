import type { Change, NodeData, NodeType, Snapshot } from './document.ts';
import { createChecks } from './frame/checks.ts';
import type { Program } from './program.ts';

/** Version of the messages. Host and frame document must have the same. */
export const PROTOCOL = 1;

/** From the host to the frame document. `nonce`: what the plugin's `main` must send back. */
export type HostMessage =
  | { kind: 'start'; program: Program; command: string; snapshot: Snapshot }
  | { kind: 'snapshot'; snapshot: Snapshot }
  | { kind: 'ping'; nonce: string };

/** From the frame document to the host. */
export type FrameMessage =
  | { kind: 'ready' }
  | { kind: 'pong'; nonce: string }
  | { kind: 'changes'; changes: Change[] }
  | { kind: 'notify'; text: string; isError: boolean }
  | { kind: 'unsupported'; name: string }
  | { kind: 'error'; text: string; isFatal: boolean }
  | { kind: 'panel'; isVisible: boolean; width: number; height: number; title: string }
  | { kind: 'closed'; text: string }
  | { kind: 'refused'; reason: 'flood' | 'version' | 'browser' };

/** Changes in one message. */
export const CHANGES_MAX = 1000;
const TEXT_MAX = 500;
const ID = /^[\w:.-]{1,64}$/;
const TYPES: ReadonlySet<unknown> = new Set<NodeType>(['FRAME', 'RECTANGLE', 'ELLIPSE', 'TEXT']);
const REFUSALS: ReadonlySet<unknown> = new Set(['flood', 'version', 'browser']);
const checks = createChecks();

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= TEXT_MAX;
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isSize = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isId = (value: unknown): value is string => typeof value === 'string' && ID.test(value);
const isIdOrNull = (value: unknown): value is string | null => value === null || isId(value);
const isNodeType = (value: unknown): value is NodeType => TYPES.has(value);

/** Checks of the messages by their kind: code of a plugin may have sent any of them. */
const MESSAGES: Readonly<Record<FrameMessage['kind'], (fields: Fields) => boolean>> = {
  ready: () => true,
  pong: ({ nonce }) => isText(nonce),
  changes: ({ changes }) =>
    Array.isArray(changes) && changes.length <= CHANGES_MAX && changes.every(isChange),
  notify: ({ text, isError }) => isText(text) && isFlag(isError),
  unsupported: ({ name }) => isText(name),
  error: ({ text, isFatal }) => isText(text) && isFlag(isFatal),
  panel: ({ isVisible, width, height, title }) =>
    isFlag(isVisible) && isSize(width) && isSize(height) && isText(title),
  closed: ({ text }) => isText(text),
  refused: ({ reason }) => REFUSALS.has(reason),
};

/** Whether what came from the frame is one of its messages. */
export function isFrameMessage(value: unknown): value is FrameMessage {
  if (!isRecord(value) || typeof value.kind !== 'string') return false;
  const check = Object.entries(MESSAGES).find(([kind]) => kind === value.kind)?.[1];
  return check?.(value) === true;
}

function isChange(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { kind, id } = value;
  if (kind === 'create') return isNode(value.node);
  if (kind === 'select') return Array.isArray(value.ids) && value.ids.every(isId);
  if (!isId(id)) return false;
  if (kind === 'move') return isIdOrNull(value.parent) && isIdOrNull(value.before);
  if (kind === 'set') return isRecord(value.values) && isSettable(value.values);
  return kind === 'remove';
}

function isNode(value: unknown): value is NodeData {
  if (!isRecord(value)) return false;
  const { id, type, parent, ...values } = value;
  return (
    isId(id) &&
    isNodeType(type) &&
    isIdOrNull(parent) &&
    checks.namesOf(type).every((name) => Object.hasOwn(values, name)) &&
    Object.entries(values).every(([name, one]) => checks.isValue(type, name, one))
  );
}

/** Which type of node it is only the document knows, so a property may be one of any. */
function isSettable(values: Fields): boolean {
  return Object.entries(values).every(([name, value]) =>
    (['FRAME', 'TEXT'] as const).some((type) => checks.isValue(type, name, value)),
  );
}
