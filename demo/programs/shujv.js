const values = [42, 58, 51, 73, 66, 88];
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
