import {
  SIGN_IN_FAILED_MESSAGE,
  SIGN_IN_LEFT_MESSAGE,
  SIGN_IN_SHOWN_MESSAGE,
  SIGNED_IN_MESSAGE,
} from '../../../shared/constants.ts';

/** Messages from the sign-in frame to the page around it. */
export type FrameMessage =
  | { kind: 'signed-in' }
  | { kind: 'left' }
  | { kind: 'failed'; code: string }
  | { kind: 'shown'; height: number; step?: string };

/** Plausible heights of a sign-in page in CSS pixels. */
const LOWEST = 120;
const HIGHEST = 2000;

/** Characters of a step's name. */
const STEP_MAX = 100;

type Fields = Readonly<Record<string, unknown>>;

const READERS: Readonly<Record<string, (fields: Fields) => FrameMessage | undefined>> = {
  [SIGNED_IN_MESSAGE]: () => ({ kind: 'signed-in' }),
  [SIGN_IN_LEFT_MESSAGE]: () => ({ kind: 'left' }),
  [SIGN_IN_FAILED_MESSAGE]: ({ code }) =>
    typeof code === 'string' && /^[A-Z_]{1,64}$/.test(code) ? { kind: 'failed', code } : undefined,
  [SIGN_IN_SHOWN_MESSAGE]: ({ height, step }) =>
    typeof height === 'number' && Number.isFinite(height)
      ? {
          kind: 'shown',
          height: Math.min(HIGHEST, Math.max(LOWEST, Math.ceil(height))),
          ...(typeof step === 'string' && step.length <= STEP_MAX && { step }),
        }
      : undefined,
};

/** Parses the data of a message event; undefined for messages of other code. */
export function readFrameMessage(data: unknown): FrameMessage | undefined {
  if (typeof data !== 'object' || data === null || !('type' in data) || typeof data.type !== 'string')
    return undefined;
  const read = Object.hasOwn(READERS, data.type) ? READERS[data.type] : undefined;
  return read?.({ ...data });
}
