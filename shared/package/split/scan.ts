/** Where a scan of bytes stands: lines and columns as editors count them, in UTF-16 units. */
export type Scan = { line: number; column: number };

export const BYTE = {
  tab: 0x09,
  newline: 0x0a,
  return: 0x0d,
  space: 0x20,
  quote: 0x22,
  hash: 0x23,
  comma: 0x2c,
  slash: 0x2f,
  listOpen: 0x5b,
  backslash: 0x5c,
  listClose: 0x5d,
  objectOpen: 0x7b,
  objectClose: 0x7d,
} as const;

/** How far the inside of an item has been read. */
export type ItemState = { depth: number; isInText: boolean; isEscaped: boolean };

/** Moves on over a byte. */
export function pass(scan: Scan, byte: number): void {
  if (byte === BYTE.newline) {
    scan.line += 1;
    scan.column = 1;
  } else if (byte < 0x80 || (byte >= 0xc0 && byte < 0xf0)) scan.column += 1;
  else if (byte >= 0xf0) scan.column += 2;
}

export function isSpace(byte: number): boolean {
  return byte === BYTE.space || byte === BYTE.newline || byte === BYTE.return || byte === BYTE.tab;
}

/**
 * Reads on inside an item, from its first byte or where the last chunk ended. Answers the offset after its last byte
 * here, and whether the item ends with it. It ends where its brackets close, or before a comma or the list's end.
 */
export function readOn(
  chunk: Uint8Array,
  from: number,
  state: ItemState,
  scan: Scan,
): { end: number; isDone: boolean } {
  for (let at = from; at < chunk.length; at += 1) {
    const byte = chunk[at] ?? 0;
    if (state.isInText) {
      if (state.isEscaped) state.isEscaped = false;
      else if (byte === BYTE.backslash) state.isEscaped = true;
      else if (byte === BYTE.quote) state.isInText = false;
    } else if (byte === BYTE.quote) state.isInText = true;
    else if (byte === BYTE.objectOpen || byte === BYTE.listOpen) state.depth += 1;
    else if (state.depth === 0) {
      if (byte === BYTE.comma || byte === BYTE.listClose) return { end: at, isDone: true };
    } else if (byte === BYTE.objectClose || byte === BYTE.listClose) {
      state.depth -= 1;
      if (state.depth === 0) {
        pass(scan, byte);
        return { end: at + 1, isDone: true };
      }
    }
    pass(scan, byte);
  }
  return { end: chunk.length, isDone: false };
}
