const columns = 12;
const gutter = 24;
const margin = 80;
for (const frame of pixso.currentPage.selection) {
  if (frame.type !== 'FRAME') continue;
  const width = (frame.width - margin * 2 - gutter * (columns - 1)) / columns;
  const ghost = pixso.createFrame();
  ghost.name = 'grid ghost';
  ghost.resize(frame.width, frame.height);
  ghost.fills = [];
  ghost.locked = true;
  for (let column = 0; column < columns; column += 1) {
    const bar = pixso.createRectangle();
    bar.resize(width, frame.height);
    bar.x = margin + column * (width + gutter);
    bar.fills = [{ type: 'SOLID', color: { r: 0.95, g: 0.2, b: 0.4 }, opacity: 0.08 }];
    ghost.appendChild(bar);
  }
  frame.appendChild(ghost);
}
pixso.closePlugin();
