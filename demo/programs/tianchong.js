const lines = ['Order on its way', 'Table for two at eight', 'Three new messages', 'Refund sent'];
const texts = pixso.currentPage.selection.filter((node) => node.type === 'TEXT');
async function fill() {
  for (const [index, node] of texts.entries()) {
    await pixso.loadFontAsync(node.fontName);
    node.characters = lines[index % lines.length];
  }
  pixso.closePlugin(texts.length + ' layers filled');
}
fill();
