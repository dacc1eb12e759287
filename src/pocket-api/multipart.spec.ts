import { multipartPairs } from './multipart.js';

const TYPE = 'multipart/form-data; boundary=XX';
const field = (headers: string, value: string) => `--XX\r\n${headers}\r\n\r\n${value}\r\n`;
const named = (name: string) => `Content-Disposition: form-data; name="${name}"`;
const body = (text: string) => Buffer.from(`${text}--XX--\r\n`);

describe('multipartPairs', () => {
  it.each([
    ['a field', field(named('a'), '1'), [['a', '1']]],
    [
      'fields in order',
      field(named('b'), '1') + field(named('a'), '2'),
      [
        ['b', '1'],
        ['a', '2'],
      ],
    ],
    [
      'brackets in a name',
      field(named('actions[0][action]'), 'pv'),
      [['actions[0][action]', 'pv']],
    ],
    ['UTF-8 in name and value', field(named('é'), '😀'), [['é', '😀']]],
    ['a name without quotes', field('Content-Disposition: form-data; name=a', '1'), [['a', '1']]],
    [
      'a type',
      field(`Content-Type: text/plain; charset=utf-8\r\n${named('a')}`, 'é'),
      [['a', 'é']],
    ],
    ['a preamble', `hello\r\n${field(named('a'), '1')}`, [['a', '1']]],
    ['a long value', field(named('a'), 'x'.repeat(2e6)), [['a', 'x'.repeat(2e6)]]],
    ['a long name', field(named('a'.repeat(150)), '1'), [['a'.repeat(150), '1']]],
    ['a thousand fields', field(named('a'), '1').repeat(1000), Array(1000).fill(['a', '1'])],
    ['no field', '', []],
  ])('reads %s', async (_, text, pairs) => {
    expect(await multipartPairs(body(text), TYPE)).toEqual(pairs);
  });

  it.each([
    [
      'a file',
      body(field(`${named('a')}; filename="x.txt"`, '1')),
      TYPE,
      'Files are not accepted.',
    ],
    ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe]), TYPE, 'not valid UTF-8'],
    ['an end too soon', Buffer.from(field(named('a'), '1')), TYPE, 'body is malformed'],
    ['no multipart at all', Buffer.from('{}'), TYPE, 'body is malformed'],
    ['no boundary', body(''), 'multipart/form-data', 'has no boundary'],
    ['too many fields', body(field(named('a'), '').repeat(1001)), TYPE, 'at most 1000 parts'],
  ])('refuses %s', async (_, bytes, type, message) => {
    await expect(multipartPairs(bytes, type)).rejects.toThrow(message);
  });
});
