import t from 'tap';
import { multipartForm } from '../../web/api/multipart-form.ts';

const file = new File(['{}'], 'code.json');

t.test('a form has texts as they are, structures as JSON, files as files', async (t) => {
  const form = multipartForm({
    name: { 'en-US': 'A' },
    tags: [],
    contact: 'a',
    based_on: 7,
    code: file,
    media: [file, file],
    none: undefined,
    nothing: null,
  });
  t.strictSame([...new Set(form.keys())], ['name', 'tags', 'contact', 'based_on', 'code', 'media']);
  t.equal(form.get('name'), '{"en-US":"A"}');
  t.equal(form.get('tags'), '[]', 'an empty list is sent too');
  t.equal(form.get('contact'), 'a');
  t.equal(form.get('based_on'), '7');
  t.equal(form.getAll('media').length, 2);
  const sent = form.get('code');
  t.equal(sent instanceof File && sent.name, 'code.json');
});
