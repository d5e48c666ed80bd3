/** What a user signed in with, in a word each; empty when it is not known. */
export type ClientLabel = { browser: string; system: string };

/** More of a User-Agent is not read. */
const READ_CHARACTERS = 512;

/** Word of a User-Agent and what people call the program; those that pass for others come first. */
const BROWSERS: readonly [word: RegExp, name: string][] = [
  [/\bwxwork\//i, 'WeCom'],
  [/\bMicroMessenger\//i, 'WeChat'],
  [/\bDingTalk\//i, 'DingTalk'],
  [/\b(?:Lark|Feishu)\//i, 'Lark'],
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bHuaweiBrowser\//, 'Huawei Browser'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ (?:Mobile\/\w+ )?Safari\//, 'Safari'],
];

const SYSTEMS: readonly [word: RegExp, name: string][] = [
  [/\b(?:OpenHarmony|HarmonyOS)\b/, 'HarmonyOS'],
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Browser and system of a User-Agent header. Nothing else of it is stored: it tells more of a user than is needed. */
export function clientLabel(userAgent: string | undefined): ClientLabel {
  const text = userAgent?.slice(0, READ_CHARACTERS) ?? '';
  const nameIn = (names: readonly [RegExp, string][]) => names.find(([word]) => word.test(text))?.[1] ?? '';
  return { browser: nameIn(BROWSERS), system: nameIn(SYSTEMS) };
}
