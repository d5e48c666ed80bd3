const steps = [0.95, 0.85, 0.72, 0.58, 0.44, 0.32, 0.2];
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
