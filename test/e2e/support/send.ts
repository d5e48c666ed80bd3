import type { Page } from 'playwright-core';

/** A call as the page makes it; a text is sent as the package of a form. Answers its data. */
export function send(page: Page, method: string, path: string, body: object | string) {
  return page.evaluate(
    async ({ method, path, body }) => {
      const form = new FormData();
      if (typeof body === 'string')
        form.append('code', new File([body], 'plugin.json', { type: 'application/json' }));
      const json = { 'content-type': 'application/json' };
      const answer = await fetch(`/api/cmt/${path}`, {
        method,
        headers: { 'x-requested-with': 'plugin-square', ...(typeof body !== 'string' && json) },
        body: typeof body === 'string' ? form : JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
      return (await answer.json()).data;
    },
    { method, path, body },
  );
}
