import fc from 'fast-check';

/** Values that have broken services: in numbers, texts, encodings, statements of databases and names of properties. */
const TRAPS: readonly unknown[] = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1e309',
    'NaN',
    'Infinity',
    '0x10',
    '٣',
    '1,000',
    '1 OR 1=1',
    'null',
    'undefined',
  ],
  ...['9223372036854775807', '9223372036854775808', '18446744073709551616', '-9223372036854775809'],
  ...[
    "'",
    '"',
    '\\',
    '%',
    '%00',
    '\u0000',
    'a\u0000b',
    '\uD800',
    '\uDFFF',
    '\uFEFF',
    '\u202E',
    '\r\nX-Evil: 1',
  ],
  ...[
    "'; DROP TABLE items; --",
    '${7*7}',
    '{{7*7}}',
    '<script>alert(1)</script>',
    '../../etc/passwd',
    '$1',
    '\\d',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '[object Object]',
    '[]',
    '{}',
    '[[[[',
    '{"a":',
  ],
  ...[
    'http://',
    'http://[',
    'http://[::1',
    'http://user:pass@',
    'http://exa mple.com',
    'javascript:alert(1)',
  ],
  ...[
    'data:text/html,x',
    'file:///etc/passwd',
    'http://127.0.0.1:1/',
    'http://xn--a',
    `http://${'a'.repeat(300)}.com`,
  ],
  ...[
    'https://example.com/%',
    'https://example.com/%ff',
    'https://example.com/\u0000',
    'https://exämple.com/ü?é#ß',
  ],
  ...[
    '2025-02-30',
    '0000-00-00T00:00:00Z',
    '+275760-09-13T00:00:00.001Z',
    'a@b',
    '@',
    'a@b@c',
    '"a b"@example.com',
  ],
  ...[
    0,
    -1,
    0.1,
    1e21,
    1e308,
    -0,
    2 ** 31,
    2 ** 53,
    2 ** 63,
    Number.MAX_SAFE_INTEGER,
    null,
    true,
    false,
  ],
  ...[
    [],
    {},
    [[]],
    [null],
    { length: 1 },
    { toString: 1 },
    [{ action: 'add' }],
    { 0: 'a' },
    [['a', 'b']],
  ],
];

const longText = fc
  .tuple(
    fc.constantFrom('a', 'é', '𝒳', '%', ',', '\u0301', '[', 'a,'),
    fc.constantFrom(101, 1001, 4097, 70_000),
  )
  .map(([unit, times]) => unit.repeat(times));

const deepList = fc
  .constantFrom(10, 100, 3000)
  .map((depth): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth)));

/** A value of any kind that no schema asks for. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TRAPS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: longText },
  { weight: 1, arbitrary: deepList },
);

/** A text for a place that holds text only: a segment of a path, a header, a form field. */
export const hostileText: fc.Arbitrary<string> = hostileValue.map((value) =>
  typeof value === 'string' ? value : JSON.stringify(value),
);
