const ease = (time) => 1 - (1 - time) ** 3;
const frames = 7;
const [source] = pixso.currentPage.selection;
if (source) {
  for (let index = 1; index <= frames; index += 1) {
    const ghost = source.clone();
    ghost.x = source.x + ease(index / frames) * 320;
    ghost.opacity = index / frames;
  }
}
pixso.closePlugin();
