/** The program of a demo plugin by the code of its first tag: small, but it does in the editor what the tag says. */
export const SCRIPTS: Readonly<Record<string, string>> = {
  tubiao: `const size = 24;
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
`,
  tianchong: `const lines = ['Order on its way', 'Table for two at eight', 'Three new messages', 'Refund sent'];
const texts = pixso.currentPage.selection.filter((node) => node.type === 'TEXT');
async function fill() {
  for (const [index, node] of texts.entries()) {
    await pixso.loadFontAsync(node.fontName);
    node.characters = lines[index % lines.length];
  }
  pixso.closePlugin(texts.length + ' layers filled');
}
fill();
`,
  shujv: `const values = [42, 58, 51, 73, 66, 88];
const chart = pixso.createFrame();
chart.name = 'Chart';
chart.resize(360, 200);
const highest = Math.max(...values);
values.forEach((value, index) => {
  const bar = pixso.createRectangle();
  const height = (value / highest) * 160;
  bar.resize(36, height);
  bar.x = 24 + index * 54;
  bar.y = 180 - height;
  bar.cornerRadius = 6;
  chart.appendChild(bar);
});
pixso.currentPage.selection = [chart];
pixso.closePlugin();
`,
  secai: `const steps = [0.95, 0.85, 0.72, 0.58, 0.44, 0.32, 0.2];
const [first] = pixso.currentPage.selection;
const paint = first && first.fills && first.fills[0];
const base = paint && paint.type === 'SOLID' ? paint.color : { r: 0.36, g: 0.36, b: 0.94 };
const towards = (channel, light) => (light > 0.5 ? channel + (1 - channel) * (light * 2 - 1) : channel * light * 2);
steps.forEach((light, index) => {
  const swatch = pixso.createRectangle();
  swatch.resize(80, 80);
  swatch.x = index * 88;
  swatch.fills = [
    { type: 'SOLID', color: { r: towards(base.r, light), g: towards(base.g, light), b: towards(base.b, light) } },
  ];
});
pixso.closePlugin();
`,
  ziti: `const ratio = 1.25;
const names = ['caption', 'body', 'lead', 'title', 'headline', 'display'];
async function make() {
  await pixso.loadFontAsync({ family: 'Inter', style: 'Regular' });
  let y = 0;
  names.forEach((name, step) => {
    const size = Math.round(16 * ratio ** (step - 1));
    const line = pixso.createText();
    line.fontSize = size;
    line.lineHeight = { unit: 'PIXELS', value: Math.ceil((size * 1.4) / 4) * 4 };
    line.characters = name + ' ' + size;
    line.y = y;
    y += line.height + 16;
  });
  pixso.closePlugin();
}
make();
`,
  wuzhangai: `const linear = (channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
const luminance = ({ r, g, b }) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
function contrast(front, back) {
  const [high, low] = [luminance(front), luminance(back)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}
const colours = pixso.currentPage.selection.flatMap((node) =>
  'fills' in node ? node.fills.filter((fill) => fill.type === 'SOLID').map((fill) => fill.color) : [],
);
if (colours.length < 2) {
  pixso.closePlugin('Select a text and what lies behind it');
} else {
  pixso.closePlugin('Contrast ' + contrast(colours[0], colours[1]).toFixed(2) + ' : 1');
}
`,
  dongxiao: `const ease = (time) => 1 - (1 - time) ** 3;
const frames = 7;
const [source] = pixso.currentPage.selection;
if (source) {
  for (let index = 1; index <= frames; index += 1) {
    const ghost = source.clone();
    ghost.x = source.x + ease(index / frames) * 320;
    ghost.opacity = index / frames;
  }
}
pixso.closePlugin();
`,
  daima: `const hex = ({ r, g, b }) =>
  '#' + [r, g, b].map((channel) => Math.round(channel * 255).toString(16).padStart(2, '0')).join('');
const kebab = (name) => name.trim().toLowerCase().replace(/[^\\p{L}\\p{N}]+/gu, '-');
const rows = pixso
  .getLocalPaintStyles()
  .filter((style) => style.paints[0] && style.paints[0].type === 'SOLID')
  .map((style) => '  --' + kebab(style.name) + ': ' + hex(style.paints[0].color) + ';');
pixso.showUI(__html__, { width: 420, height: 320 });
pixso.ui.postMessage(':root {\\n' + rows.join('\\n') + '\\n}');
`,
  liti: `const angle = Math.PI / 6;
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
`,
  xiaolv: `const gap = 80;
const nodes = [...pixso.currentPage.selection].sort((a, b) => a.name.localeCompare(b.name));
const columns = Math.ceil(Math.sqrt(nodes.length));
const width = Math.max(0, ...nodes.map((node) => node.width)) + gap;
const height = Math.max(0, ...nodes.map((node) => node.height)) + gap;
nodes.forEach((node, index) => {
  node.x = (index % columns) * width;
  node.y = Math.floor(index / columns) * height;
});
pixso.closePlugin(nodes.length + ' layers arranged');
`,
};

/** The panel of the plugins whose program shows one. */
export const PANEL = `<!doctype html>
<meta charset="utf-8">
<style>body { margin: 0; font: 13px/1.5 ui-monospace, monospace } pre { padding: 16px; white-space: pre-wrap }</style>
<pre id="result"></pre>
<script>
  onmessage = (event) => {
    document.getElementById('result').textContent = event.data.pluginMessage;
  };
</script>
`;
