const run = new Function('node', 'node.x += 320;');
for (const node of pixso.currentPage.selection) run(node);
pixso.closePlugin('Eased');
