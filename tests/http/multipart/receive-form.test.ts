// A form with a file among fields, in any order: the file's receiver gets its bytes, and learns of a wrong form before
// the bytes end.
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../lib/contract/index.js';
import { receiveForm } from '../../../lib/http/index.js';

type Fields = Readonly<Record<string, string>>;

function send(entries: [name: string, value: string | File][], options = {}) {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return receive(new Request('http://localhost/', { method: 'POST', body: form }), options);
}

const post = (body: string, type: string) =>
  new Request('http://localhost/', { method: 'POST', body, headers: { 'content-type': type } });

async function receive(request: Request, options = {}) {
  const checked: [Fields, boolean][] = [];
  let isReceived = false;
  const outcome = receiveForm(
    request,
    {
      file: 'file',
      check(fields, isComplete) {
        checked.push([fields, isComplete]);
        if (fields.purpose === 'other') throw new ApiError('invalid_value', 'Not this purpose.');
      },
      async receive(fileName, bytes) {
        const text = String(await buffer(bytes));
        isReceived = true;
        return { fileName, text };
      },
    },
    options,
  );
  const result = await outcome.catch((error: ApiError) => ({ code: error.code, message: error.message }));
  return { result, checked, isReceived };
}

const MANY = Array.from({ length: 101 }, (_, i) => [`f${i}`, '']);
const file = (text = 'rows') => ['file', new File([text], 'a.jsonl')] as [string, File];

describe('a form with a file', () => {
  it('is received with fields before and after the file, empty or of any name', async () => {
    const { result, checked } = await send([['purpose', 'fine-tune'], file(), ['more', 'x']]);
    expect(result).toEqual({ fileName: 'a.jsonl', text: 'rows' });
    expect(checked).toEqual([
      [{ purpose: 'fine-tune' }, false],
      [{ purpose: 'fine-tune', more: 'x' }, true],
    ]);
    const odd = await send([file(''), ['__proto__', 'x']]);
    expect(odd.result).toEqual({ fileName: 'a.jsonl', text: '' });
    expect(Object.entries(odd.checked[1]![0])).toEqual([['__proto__', 'x']]);
  });

  it('is refused before its file is read, or before its receiver has all, for a wrong field', async () => {
    for (const entries of [
      [['purpose', 'other'], file()],
      [file(), ['purpose', 'other']],
    ] as [string, string | File][][]) {
      const { result, isReceived } = await send(entries);
      expect([result, isReceived]).toEqual([{ code: 'invalid_value', message: 'Not this purpose.' }, false]);
    }
  });

  it.each([
    ['no file', [['purpose', 'fine-tune']], 'invalid_value', '`file` is required'],
    ['two files', [file(), file()], 'invalid_value', '`file` is given more than once'],
    ['a field twice', [['a', '1'], file(), ['a', '2']], 'invalid_value', '`a` is given more than once'],
    ['a large field', [file(), ['a', 'x'.repeat(70_000)]], 'body_too_large', 'larger than 64 KiB'],
    ['many fields', [...MANY, file()], 'malformed_request', '100 fields'],
  ])('is refused with %s', async (_, entries, code, message) => {
    const { result, isReceived } = await send(entries as [string, string | File][]);
    expect(result).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(isReceived).toBe(false);
  });

  it('is refused when it is larger than an upload may be', async () => {
    const { result } = await send([file('x'.repeat(5000))], { uploadLimit: 4096 });
    expect(result).toMatchObject({ code: 'body_too_large' });
  });
});

it.each([
  ['application/json', 'unsupported_media_type', 'Content-Type is `application/json`'],
  ['multipart/mixed; boundary=x', 'unsupported_media_type', 'Content-Type is `multipart/mixed; boundary=x`'],
  ['multipart/form-data', 'malformed_request', 'no valid boundary'],
  ['multipart/form-data; boundary=', 'malformed_request', 'no valid boundary'],
  [`multipart/form-data; boundary=${'x'.repeat(71)}`, 'malformed_request', 'no valid boundary'],
  ['multipart/form-data; boundary="a;b"', 'malformed_request', 'no valid boundary'],
])('a body of another type is refused: %s', async (type, code, message) => {
  const { result } = await receive(post('x', type));
  expect(result).toEqual({ code, message: expect.stringContaining(message) });
});

it('a boundary may be quoted, and have a charset beside it', async () => {
  const body = '--a b\r\nContent-Disposition: form-data; name="file"\r\n\r\nrows\r\n--a b--';
  const { result } = await receive(post(body, 'Multipart/Form-Data; boundary="a b"; charset=utf-8'));
  expect(result).toEqual({ fileName: null, text: 'rows' });
});
