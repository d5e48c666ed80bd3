const size = 24;
const frame = pixso.createFrame();
frame.name = 'icon/' + size;
frame.resize(size, size);
for (const inset of [2, 3, 4]) {
  const keyline = pixso.createEllipse();
  keyline.resize(size - inset * 2, size - inset * 2);
  keyline.x = inset;
  keyline.y = inset;
  keyline.fills = [];
  keyline.strokes = [{ type: 'SOLID', color: { r: 0.36, g: 0.36, b: 0.94 } }];
  keyline.strokeWeight = 0.25;
  frame.appendChild(keyline);
}
pixso.viewport.scrollAndZoomIntoView([frame]);
pixso.closePlugin();
