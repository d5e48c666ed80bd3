/** How keys of the demo catalogue begin. */
const DEMO = 'square-';
/** Milliseconds between two looks. */
const PAUSE = 500;

/** Waits until every plugin of the demo catalogue has its icon and cover, which are drawn while the product begins. */
export async function untilPainted(origin: string): Promise<void> {
  const answer = await fetch(`${origin}/api/cmt/plugin/list?limit=100`, {
    headers: { 'x-requested-with': 'plugin-square', 'cache-control': 'no-cache' },
  });
  const { data }: { data: { plugin_list: { plugin_key: string; icon: unknown; cover: unknown }[] } } =
    await answer.json();
  const demo = data.plugin_list.filter(({ plugin_key }) => plugin_key.startsWith(DEMO));
  if (demo.every(({ icon, cover }) => icon && cover)) return;
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
  await untilPainted(origin);
}
