/**
 * What people of our languages build passwords from and no English dictionary knows, the commonest first: words for
 * "password" and "I love you", rows of other keyboards, numbers that sound like words.
 */
export const LOCAL_WORDS: readonly string[] = [
  'woaini',
  '5201314',
  'mima',
  '密码',
  '我爱你',
  'пароль',
  'йцукен',
  'йцукенгшщз',
  'gfhjkm',
  'contraseña',
  'contrasena',
  'teamo',
  'tequiero',
  'パスワード',
  'pasuwado',
  'aishiteru',
  '비밀번호',
  'qlalfqjsgh',
  '사랑해',
  'saranghae',
  'woaiwojia',
  'wojiushiwo',
  'woshishui',
  'nihao',
  'caonima',
  'привет',
  'любовь',
  'ghbdtn',
  'hola',
  'mierda',
];

/** What this site is called. */
export const SITE_WORDS: readonly string[] = [
  'pluginsquare',
  'plugin-square',
  'plugin square',
  'plugin',
  'square',
  '插件广场',
];
