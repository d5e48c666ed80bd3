const angle = Math.PI / 6;
const [source] = pixso.currentPage.selection;
if (source) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const faces = [
    [[cos, -cos, source.x], [sin, sin, source.y]],
    [[cos, 0, source.x], [sin, 1, source.y]],
    [[cos, 0, source.x], [-sin, 1, source.y]],
  ];
  for (const transform of faces) {
    source.clone().relativeTransform = transform;
  }
}
pixso.closePlugin();
