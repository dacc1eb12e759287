import {
  choiceReader,
  integerReader,
  isAbsent,
  readFlag,
  readId,
  readTimestamp,
  readTimestampOrDate,
  textReader,
  Unreadable,
} from './param-readers.js';

const NO_SCALARS: readonly unknown[] = [
  [],
  {},
  [1],
  { $gt: '' },
  { length: 3 },
  { toString: 'x' },
  NaN,
  Infinity,
];

const refused = expect.any(Unreadable);

it('takes white space around a number, a flag, a time or an id for nothing', () => {
  expect(integerReader({ min: 1, max: 30 })(' 7 ')).toBe(7);
  expect(readFlag(' 1')).toBe(true);
  expect(readTimestamp('5\n')).toBe(5);
  expect(readId(' 7 ')).toBe('7');
});

describe('isAbsent', () => {
  it.each([undefined, null, '', ' ', '\t\n'])('holds for %j', (value) => {
    expect(isAbsent(value)).toBe(true);
  });

  it.each([0, '0', false, [], {}, 'x'])('does not hold for %j', (value) => {
    expect(isAbsent(value)).toBe(false);
  });
});

describe('integerReader', () => {
  const read = integerReader({ min: 1, max: 30 });
  const clamp = integerReader({ min: 1, max: 30, clamp: true });

  it.each([
    [1, 1],
    ['1', 1],
    ['007', 7],
    [30, 30],
    ['30', 30],
  ])('reads %j as %d', (value, integer) => {
    expect(read(value)).toBe(integer);
    expect(clamp(value)).toBe(integer);
  });

  it.each([
    ...NO_SCALARS,
    ...[true, false, 0, -1, 1.5, '0', '-1', '1.0', '1.5', '0x1e', '1e1', '+7', '1_000'],
    ...['abc', '७'],
  ])('refuses %j', (value) => {
    expect(read(value)).toEqual(refused);
    expect(clamp(value)).toEqual(refused);
  });

  it.each([31, '31', 1e21, '9'.repeat(400)])('takes %j for the limit when it clamps', (value) => {
    expect(read(value)).toEqual(refused);
    expect(clamp(value)).toBe(30);
  });

  it('says what it wants', () => {
    expect(read('x')).toEqual(new Unreadable('must be a whole number from 1 to 30'));
    expect(clamp('x')).toEqual(new Unreadable('must be a whole number from 1'));
  });
});

describe('readFlag', () => {
  it.each([1, '1', true, 'true'])('reads %j as yes', (value) => {
    expect(readFlag(value)).toBe(true);
  });

  it.each([0, '0', false, 'false'])('reads %j as no', (value) => {
    expect(readFlag(value)).toBe(false);
  });

  it.each([...NO_SCALARS, 2, '2', -1, 'yes', '01', '0x1'])('refuses %j', (value) => {
    expect(readFlag(value)).toEqual(new Unreadable('must be 0 or 1'));
  });
});

describe('readTimestamp', () => {
  it.each([
    [0, 0],
    ['0', 0],
    [1719263946, 1719263946],
    ['1719263946', 1719263946],
    ['1719263946.129312', 1719263946],
    [1719263946.9, 1719263946],
    [999999999999, 999999999999],
    [1719263946129, 1719263946],
    ['1719263946129', 1719263946],
    [1e18, 1e15],
  ])('reads %j as %d', (value, seconds) => {
    expect(readTimestamp(value)).toBe(seconds);
  });

  it.each([
    ...NO_SCALARS,
    ...[-1, '-1', -0.5, '-0.5', true, '1e9', '0x1e', '1970-01-01', 'abc', '1.2.3', '.5'],
    ...['9223372036854775808', 2 ** 63, '9'.repeat(400)],
  ])('refuses %j', (value) => {
    expect(readTimestamp(value)).toEqual(new Unreadable('must be a time in seconds since 1970'));
  });
});

describe('readTimestampOrDate', () => {
  it.each([
    ['1719263946129', 1719263946],
    ['2024-06-24T21:19:06.129Z', 1719263946],
    [' 2024-06-24t21:19:06z ', 1719263946],
    ['2024-06-24T23:19:06+02:00', 1719263946],
    ['2024-06-24T16:49:06-0430', 1719263946],
    ['2024-06-24T21:19', 1719263940],
    ['1970-01-20T21:34:23.946Z', 1719263],
    ['1970-01-01T00:00:00Z', 0],
  ])('reads %j as %d', (value, seconds) => {
    expect(readTimestampOrDate(value)).toBe(seconds);
  });

  it.each([
    ...NO_SCALARS,
    ...[-1, '-1', true, 'abc', '1969-12-31T23:59:59Z', '2024-13-01', '2024-06-24T25:00:00Z'],
    ...[
      '2024-06-24',
      '2024-06-24 21:19',
      '2024-06',
      '2024-W26',
      '24.06.2024',
      '2024-06-24T21:19:06Zulu',
      'Mon Jun 24 2024',
    ],
  ])('refuses %j', (value) => {
    expect(readTimestampOrDate(value)).toEqual(
      new Unreadable('must be a time in seconds since 1970'),
    );
  });
});

describe('choiceReader', () => {
  const read = choiceReader({ unread: 'unread', queue: 'unread', all: undefined });

  it.each([
    ['unread', 'unread'],
    ['QUEUE', 'unread'],
    [' Unread ', 'unread'],
    ['all', undefined],
  ])('reads %j as %j', (value, choice) => {
    expect(read(value)).toBe(choice);
  });

  it.each([...NO_SCALARS, 'foo', 1, true, 'constructor', '__proto__', 'toString'])(
    'refuses %j',
    (value) => {
      expect(read(value)).toEqual(new Unreadable('must be one of unread, queue, all'));
    },
  );
});

describe('readId', () => {
  it.each([
    [4503599627370497, '4503599627370497'],
    ['4503599627370497', '4503599627370497'],
    ['9223372036854775807', '9223372036854775807'],
    [0, '0'],
    ['007', '7'],
  ])('reads %j as %s', (value, id) => {
    expect(readId(value)).toBe(id);
  });

  it.each([
    ...NO_SCALARS,
    ...[-1, 1.5, true, '-1', '1.0', '1e3', '+7', 'abc', 2 ** 53, 1e21],
    ...['9223372036854775808', '1'.repeat(20)],
  ])('refuses %j', (value) => {
    expect(readId(value)).toEqual(new Unreadable('must be an id of digits'));
  });
});

describe('textReader', () => {
  const read = textReader({ max: 5 });

  it.each([
    ['abcde', 'abcde'],
    [' a ', ' a '],
    ['100%', '100%'],
    [2024, '2024'],
  ])('reads %j as %j', (value, text) => {
    expect(read(value)).toBe(text);
  });

  it.each([...NO_SCALARS, true, 'abcdef', 123456])('refuses %j', (value) => {
    expect(read(value)).toEqual(new Unreadable('must be text of at most 5 characters'));
  });
});
