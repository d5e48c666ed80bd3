import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import type { PluginCard } from '../shared/entities/plugin.ts';
import { escapeMarkup } from '../shared/escape-markup.ts';
import { pictureSrcset, pictureUrl } from '../shared/media.ts';

const SIZES =
  '(min-width: 1440px) 322px, (min-width: 1100px) 23vw, (min-width: 840px) 31vw, (min-width: 560px) 46vw, 92vw';
const FIRST_ROW = 4;

const STYLE = `*{box-sizing:border-box;margin:0}body{font:14px/1.5 system-ui,sans-serif;color:#121715}
header{height:64px;padding:20px 40px;border-bottom:1px solid #e4e8e6}h1{font-size:32px}
.hero{padding:32px 16px;text-align:center}
ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:24px;max-width:1360px;margin:0 auto;padding:16px;list-style:none}
.cover{display:block;width:100%;height:auto;aspect-ratio:16/9;object-fit:cover;border-radius:14px}
.head{display:flex;gap:12px;padding:12px 0}.icon{border-radius:8px}h2{font-size:16px}p{color:#4b5551}`;

function card(
  { name, intro, publisher, cover, icon, plugin_key, praise_count }: PluginCard,
  index: number,
): string {
  const loading = index < FIRST_ROW ? 'fetchpriority="high"' : 'loading="lazy"';
  const picture = cover
    ? `<img class="cover" src="${pictureUrl(cover.key, 640)}" srcset="${pictureSrcset(cover.key, cover.widths)}" sizes="${SIZES}" width="${cover.width}" height="${cover.height}" ${loading} decoding="async" alt="">`
    : '';
  const sign = icon
    ? `<img class="icon" src="${pictureUrl(icon.key, 64)}" width="36" height="36" loading="lazy" alt="">`
    : '';
  return `<li>${picture}<div class="head">${sign}<div><h2><a href="/plugins/plugin/${plugin_key}">${escapeMarkup(name)}</a></h2><p>${escapeMarkup(publisher.nick_name)}</p></div></div><p>${escapeMarkup(intro)}</p><p>♥ ${praise_count}</p></li>`;
}

function staticPage(plugins: readonly PluginCard[]): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Plugins</title><meta name="description" content="Plugins"><style>${STYLE}</style></head><body><header>Plugin Square</header><main><div class="hero"><h1>Find a plugin for what you do</h1><p>Search them, sort them, install them.</p></div><ul>${plugins.map(card).join('')}</ul></main></body></html>`;
}

/** Serves a static page with the cards of the product's home page and no script. */
export async function serveStaticPage(product: string): Promise<{ url: string; close: () => Promise<void> }> {
  const answer = await fetch(`${product}/api/cmt/plugin/list?limit=24`, {
    headers: { 'accept-language': 'en-US', 'x-requested-with': 'plugin-square' },
  });
  const { data }: { data: { plugin_list: PluginCard[] } } = await answer.json();
  const page = brotliCompressSync(staticPage(data.plugin_list));
  const pictures = new Map<string, Buffer>();
  const server = createServer(async ({ url = '/' }, response) => {
    if (url === '/') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br' });
      response.end(page);
      return;
    }
    const known = pictures.get(url) ?? Buffer.from(await (await fetch(`${product}${url}`)).arrayBuffer());
    pictures.set(url, known);
    response.writeHead(200, { 'content-type': 'image/webp', 'cache-control': 'max-age=31536000' });
    response.end(known);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  return { url: `http://localhost:${port}/`, close };
}
