import t from 'tap';
import { clientLabel } from '../../../server/identity/sessions/sessions.ts';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9)';
const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const CHROME = `${KIT} Chrome/140.0.0.0 Safari/537.36`;

const KNOWN: readonly [agent: string, browser: string, system: string][] = [
  [`${WINDOWS} ${CHROME}`, 'Chrome', 'Windows'],
  [`${WINDOWS} ${CHROME} Edg/140.0.0.0`, 'Edge', 'Windows'],
  [`${WINDOWS} ${CHROME} OPR/121.0.0.0`, 'Opera', 'Windows'],
  [`${WINDOWS} ${KIT} Chrome/138.0.0.0 YaBrowser/25.8 Safari/537.36`, 'Yandex Browser', 'Windows'],
  [`${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`, 'Safari', 'macOS'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0', 'Firefox', 'Linux'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME}`, 'Chrome', 'ChromeOS'],
  [`${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari', 'iPhone'],
  [`${IPHONE} CriOS/140.0 Mobile/15E148 Safari/604.1`, 'Chrome', 'iPhone'],
  [`${IPHONE} Mobile/15E148 MicroMessenger/8.0.60 NetType/WIFI Language/zh_CN`, 'WeChat', 'iPhone'],
  [`${ANDROID} ${KIT} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome', 'Android'],
  [
    `${ANDROID} ${KIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet',
    'Android',
  ],
  [`${WINDOWS} ${CHROME} wxwork/4.1.36 MicroMessenger/7.0.1`, 'WeCom', 'Windows'],
  ['', '', ''],
  ['curl/8.14', '', ''],
  [`${'x'.repeat(600)} Chrome/1 Windows`, '', ''],
  ['<b>Chrome</b> Windowsill', '', ''],
];

for (const [agent, browser, system] of KNOWN) {
  t.test(`${agent.slice(-60)} is ${browser} on ${system}`, async (t) => {
    t.strictSame(clientLabel(agent), { browser, system });
  });
}

t.test('a missing header returns empty values', async (t) => {
  t.strictSame(clientLabel(undefined), { browser: '', system: '' });
});
