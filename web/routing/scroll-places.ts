/** Where pages are scrolled to, in pixels, by their key. */
export type ScrollPlaces = { [key: string]: number };

const KEY = 'scroll_places';

/** What this tab remembers; nothing where there is no storage, or nothing that makes sense in it. */
export function readPlaces(storage: () => Pick<Storage, 'getItem'>): ScrollPlaces {
  try {
    const kept: unknown = JSON.parse(storage().getItem(KEY) ?? '{}');
    return isPlaces(kept) ? kept : {};
  } catch {
    return {};
  }
}

/** Without a storage, or with a full one, a page that is loaded anew begins at its top. */
export function keepPlaces(storage: () => Pick<Storage, 'setItem'>, places: ScrollPlaces): void {
  try {
    storage().setItem(KEY, JSON.stringify(places));
  } catch {
    return;
  }
}

function isPlaces(value: unknown): value is ScrollPlaces {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((place) => typeof place === 'number')
  );
}
