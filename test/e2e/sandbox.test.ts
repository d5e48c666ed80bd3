import t from 'tap';
import { newPage } from './support/page.ts';
import { eventOf, runPlugin, startSandboxHost } from './support/sandbox-host.ts';

/** Said of frame documents with a sandbox, though they get the process that they ask for. */
const ORIGIN_KEYED = /origin-keyed agent cluster/;

t.test('a plugin in the sandbox', async (t) => {
  const origins = await startSandboxHost(t);

  t.test('draws, selects, reads and closes with a message', async (t) => {
    const page = await newPage(t, { expected: ORIGIN_KEYED });
    await page.goto(origins.host);
    await runPlugin(page, origins, {
      main: `
        const frame = pixso.createFrame();
        frame.name = 'Card';
        frame.resize(200, 100);
        const text = pixso.createText();
        text.characters = 'Hello';
        text.fontSize = 20;
        frame.appendChild(text);
        const twin = frame.clone();
        twin.x = 300;
        pixso.createEllipse().remove();
        pixso.currentPage.selection = [twin];
        const [found] = pixso.currentPage.findAll((node) => node.type === 'TEXT');
        pixso.closePlugin([found.characters, found.parent.name, found.width, 'fills' in found, 'x' in pixso.currentPage].join());
      `,
    });
    const { reason, text } = await eventOf(page, 'ended');
    t.strictSame({ reason, text }, { reason: 'closed', text: 'Hello,Card,60,true,false' });
    const snapshot = await page.evaluate(() => host.snapshot);
    t.strictSame(
      snapshot.nodes.map(({ type, name, x, width, parent }) => [type, name, x, width, parent === null]),
      [
        ['FRAME', 'Card', 0, 200, true],
        ['TEXT', 'Text', 0, 60, false],
        ['FRAME', 'Card', 300, 200, true],
        ['TEXT', 'Text', 0, 60, false],
      ],
    );
    t.strictSame(snapshot.selection, [snapshot.nodes[2]?.id]);
    await page.waitForFunction(() => document.querySelector('iframe') === null);
  });

  t.test('talks with its panel, which loads later', async (t) => {
    const page = await newPage(t, { expected: ORIGIN_KEYED });
    await page.goto(origins.host);
    await runPlugin(page, origins, {
      main: `
        pixso.showUI(__html__, { width: 320, height: 180, title: 'Greeting' });
        pixso.ui.postMessage({ ask: 'name' });
        pixso.ui.onmessage = (message) => pixso.closePlugin(message.answer + message.bytes.length);
      `,
      ui: `<p>Hi</p><script>onmessage = ({ data }) => parent.postMessage({ pluginMessage: { answer: data.pluginMessage.ask, bytes: new Uint8Array(3) } }, '*')</script>`,
    });
    t.equal((await eventOf(page, 'ended')).text, 'name3');
    t.strictSame(await eventOf(page, 'panel').catch(String), {
      kind: 'panel',
      isVisible: true,
      width: 320,
      height: 180,
      title: 'Greeting',
    });
  });
});
