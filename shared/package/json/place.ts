/** Where a value of a JSON text stands, and its parts: the text's shape beside the values themselves. */
export type JsonPlace = {
  /** Offset of the value. */
  at: number;
  /** Offset of the key it stands under. */
  keyAt?: number;
  members?: Map<string, JsonPlace>;
  items?: JsonPlace[];
};

/** JSON pointer (RFC 6901) of a path. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The place of a part, or of the value it would be in when it is not there. */
export function placeOf(root: JsonPlace, path: readonly (string | number)[]): JsonPlace {
  let place = root;
  for (const part of path) {
    const next = typeof part === 'number' ? place.items?.[part] : place.members?.get(part);
    if (next === undefined) return place;
    place = next;
  }
  return place;
}

export function placeIn(place: JsonPlace, key: string): JsonPlace | undefined {
  return place.members?.get(key);
}
