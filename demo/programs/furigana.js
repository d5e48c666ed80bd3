const readings = new Map([
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
