import { ValidationFailedError } from '../platform/common/common.errors.js';
import {
  ChoiceParam,
  FlagParam,
  IdParam,
  IntegerParam,
  TextParam,
  TimestampParam,
} from './params.js';
import { parseRequest } from './parse-request.js';

class Everything {
  @IntegerParam({ min: 0, max: 9 }) integer?: number;
  @FlagParam() flag?: boolean;
  @TimestampParam() time?: number;
  @ChoiceParam({ one: 1, none: undefined }) choice?: number;
  @IdParam() id?: string;
  @TextParam({ max: 3 }) text?: string;
}

const NAMES = ['integer', 'flag', 'time', 'choice', 'id', 'text'];

const each = (value: unknown) => Object.fromEntries(NAMES.map((name) => [name, value]));

function problemsOf(members: object): readonly string[] | undefined {
  try {
    parseRequest(Everything, members);
  } catch (error) {
    return error instanceof ValidationFailedError ? error.problems : undefined;
  }
  return undefined;
}

describe('the decorators of request parameters', () => {
  it('read what clients send', () => {
    const sent = { integer: '9', flag: '1', time: '5.5', choice: 'ONE', id: 7, text: 'abc' };

    expect(parseRequest(Everything, sent)).toEqual({
      integer: 9,
      flag: true,
      time: 5,
      choice: 1,
      id: '7',
      text: 'abc',
    });
  });

  it.each([null, undefined, '', ' '])('take %j for an absent parameter', (value) => {
    expect(Object.values(parseRequest(Everything, each(value)))).toEqual(Array(6).fill(undefined));
  });

  it('leave parameters that are not sent, and drop those that no class names', () => {
    expect(parseRequest(Everything, { guid: 'x', cxt_ui: {} })).toEqual({});
  });

  it.each([
    ...[[], {}, [null], [[]], { then: 1 }, { constructor: null }, { __proto__: 1 }],
    ...[JSON.parse('{"__proto__":{"length":3}}'), { length: 1e9 }],
  ])('name each parameter that is %j', (value) => {
    expect(problemsOf(each(value))).toEqual([
      'integer must be a whole number from 0 to 9',
      'flag must be 0 or 1',
      'time must be a time in seconds since 1970',
      'choice must be one of one, none',
      'id must be an id of digits',
      'text must be text of at most 3 characters',
    ]);
  });

  it('do not look at a polluted prototype', () => {
    Object.assign(Object.prototype, { two: 2 });
    try {
      expect(() => parseRequest(Everything, { choice: 'two' })).toThrow('choice must be one of');
    } finally {
      Reflect.deleteProperty(Object.prototype, 'two');
    }
  });
});
