const ratio = 1.25;
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
