const linear = (channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
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
