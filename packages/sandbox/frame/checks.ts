import type { NodeType } from '../document.ts';

/** Whether values of a plugin may be written to a document. */
export type Checks = {
  /** Names of the properties that a type of node has. */
  namesOf(type: NodeType): readonly string[];
  isValue(type: NodeType, name: string, value: unknown): boolean;
};

/**
 * The values that properties may have. Its source is also part of the frame, so it refers to nothing outside of itself: a plugin
 * gets an error for a wrong value, and the host ends one that evades this.
 */
export function createChecks(): Checks {
  const LENGTH_MAX = 100_000;
  const TEXT_MAX = 20_000;
  const PAINTS_MAX = 16;
  const isNumber = (from: number, to: number) => (value: unknown) =>
    typeof value === 'number' && value >= from && value <= to;
  const isText = (max: number) => (value: unknown) => typeof value === 'string' && value.length <= max;
  const isFlag = (value: unknown) => typeof value === 'boolean';
  const isRecord = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const isPart = isNumber(0, 1);
  const isPaint = (value: unknown): boolean => {
    if (!isRecord(value) || value.type !== 'SOLID' || !isRecord(value.color)) return false;
    const { color, opacity = 1, visible = true } = value;
    return [color.r, color.g, color.b, opacity].every(isPart) && isFlag(visible);
  };
  const isPaints = (value: unknown) =>
    Array.isArray(value) && value.length <= PAINTS_MAX && value.every(isPaint);
  const isLength = isNumber(0, LENGTH_MAX);
  const isPlace = isNumber(-LENGTH_MAX, LENGTH_MAX);
  const all = {
    name: isText(200),
    x: isPlace,
    y: isPlace,
    width: isLength,
    height: isLength,
    rotation: isNumber(-360, 360),
    opacity: isPart,
    visible: isFlag,
    locked: isFlag,
    fills: isPaints,
    strokes: isPaints,
    strokeWeight: isNumber(0, 1000),
  };
  const box = { ...all, cornerRadius: isLength };
  const text = {
    ...all,
    characters: isText(TEXT_MAX),
    fontSize: isNumber(1, 1000),
    fontName: (value: unknown) => isRecord(value) && isText(100)(value.family) && isText(100)(value.style),
  };
  const byType: Record<NodeType, Record<string, (value: unknown) => boolean>> = {
    FRAME: box,
    RECTANGLE: box,
    ELLIPSE: all,
    TEXT: text,
  };
  return {
    namesOf: (type) => Object.keys(byType[type]),
    isValue: (type, name, value) => Object.hasOwn(byType[type], name) && byType[type][name]?.(value) === true,
  };
}
