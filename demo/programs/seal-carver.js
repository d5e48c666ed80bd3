const FONTS = 'https://fonts.seal-carver.example/zhuan.json';
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
