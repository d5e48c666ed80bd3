const gap = pixso.clientStorage ? 64 : 80;
/** Left to right, then down, as one reads; frames whose tops differ by less than this are one row. */
const sameRow = 40;
const nodes = [...pixso.currentPage.selection].sort((a, b) =>
  Math.abs(a.y - b.y) < sameRow ? a.x - b.x : a.y - b.y,
);
const columns = Math.ceil(Math.sqrt(nodes.length));
let y = 0;
for (let start = 0; start < nodes.length; start += columns) {
  const row = nodes.slice(start, start + columns);
  let x = 0;
  for (const node of row) {
    node.x = x;
    node.y = y;
    x += node.width + gap;
  }
  y += Math.max(...row.map((node) => node.height)) + gap;
}
pixso.closePlugin(nodes.length + ' layers arranged');
