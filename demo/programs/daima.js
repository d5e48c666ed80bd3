const hex = ({ r, g, b }) =>
  '#' + [r, g, b].map((channel) => Math.round(channel * 255).toString(16).padStart(2, '0')).join('');
const kebab = (name) => name.trim().toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');
const rows = pixso
  .getLocalPaintStyles()
  .filter((style) => style.paints[0] && style.paints[0].type === 'SOLID')
  .map((style) => '  --' + kebab(style.name) + ': ' + hex(style.paints[0].color) + ';');
pixso.showUI(__html__, { width: 420, height: 320 });
pixso.ui.postMessage(':root {\n' + rows.join('\n') + '\n}');
