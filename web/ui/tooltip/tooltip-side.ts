const SIDES = ['top', 'bottom', 'right', 'left'] as const;
export type Side = (typeof SIDES)[number];

type Size = { width: number; height: number };
type Edges = Record<Side, number>;

/**
 * The side of an anchor where a layer has the most room to spare: the "auto" of the placement auto-end (R 13.7). All in
 * CSS pixels of the window; the first of equal sides in the order top, bottom, right, left.
 */
export function roomiestSide(anchor: Edges, layer: Size, view: Size): Side {
  const room: Edges = {
    top: anchor.top - layer.height,
    bottom: view.height - anchor.bottom - layer.height,
    right: view.width - anchor.right - layer.width,
    left: anchor.left - layer.width,
  };
  return SIDES.reduce((best, side) => (room[side] > room[best] ? side : best));
}
