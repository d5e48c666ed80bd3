import t from 'tap';
import { matchPath } from '../../../web/routing/page-path.ts';

t.test('a path fits a pattern', async (t) => {
  t.strictSame(matchPath('/plugins/', '/plugins/'), {});
  t.strictSame(matchPath('/plugins/', '/plugins'), {}, 'slashes at the end make no difference');
  t.strictSame(matchPath('/plugins/403', '/Plugins/403//'), {}, 'nor does upper case');
  t.strictSame(matchPath('/plugins/plugin/:plugin_key', '/plugins/plugin/a-b'), { plugin_key: 'a-b' });
  t.strictSame(matchPath('/plugins/:plugin_key/versions', '/plugins/a.b/versions'), { plugin_key: 'a.b' });
  t.strictSame(matchPath('/plugins/backstage-index/*', '/plugins/backstage-index'), { '*': '' });
  t.strictSame(matchPath('/plugins/backstage-index/*', '/plugins/backstage-index/a/b'), { '*': 'a/b' });
  t.strictSame(matchPath('*', '/anything/at/all'), { '*': '/anything/at/all' });
});

t.test('parameters are decoded, each within its segment', async (t) => {
  t.strictSame(matchPath('/p/:key', '/p/%E6%8F%92%E4%BB%B6'), { key: '插件' });
  t.strictSame(matchPath('/p/:key', '/p/a%2Fb'), { key: 'a/b' });
  t.strictSame(matchPath('/p/:key', '/p/%zz'), { key: '%zz' }, 'a malformed one stays as it is');
  t.strictSame(matchPath('/my-plugins', '/my%2Dplugins'), {});
});

t.test('a path that does not fit has no parameters', async (t) => {
  for (const path of ['/', '/plugin', '/plugins/x', '//plugins', '/plugins/%2F'])
    t.equal(matchPath('/plugins/', path), undefined, path);
  t.equal(matchPath('/plugins/plugin/:plugin_key', '/plugins/plugin/'), undefined);
  t.equal(matchPath('/plugins/plugin/:plugin_key', '/plugins/plugin/a/b'), undefined);
  t.equal(matchPath('/plugins/backstage-index/*', '/plugins/backstage-indexes'), undefined);
  t.equal(matchPath('/a.b', '/aXb'), undefined, 'a dot is a dot');
});
