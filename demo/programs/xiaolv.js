const gap = 80;
const nodes = [...pixso.currentPage.selection].sort((a, b) => a.name.localeCompare(b.name));
const columns = Math.ceil(Math.sqrt(nodes.length));
const width = Math.max(0, ...nodes.map((node) => node.width)) + gap;
const height = Math.max(0, ...nodes.map((node) => node.height)) + gap;
nodes.forEach((node, index) => {
  node.x = (index % columns) * width;
  node.y = Math.floor(index / columns) * height;
});
pixso.closePlugin(nodes.length + ' layers arranged');
