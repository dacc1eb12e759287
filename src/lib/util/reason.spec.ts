import { reasonOf } from './reason.js';

describe('reasonOf', () => {
  it('returns the message and the messages of all causes', () => {
    const denied = new Error('EACCES: permission denied');
    const failed = new Error('initdb failed', { cause: denied });

    expect(reasonOf(new Error('no database', { cause: failed }))).toBe(
      'no database: initdb failed: EACCES: permission denied',
    );
  });

  it('returns a message once that a wrapper repeats', () => {
    const cause = new Error('ECONNREFUSED');

    expect(reasonOf(new Error('no database: ECONNREFUSED', { cause }))).toBe(
      'no database: ECONNREFUSED',
    );
  });

  it('lists the errors of an aggregate that has no message', () => {
    expect(reasonOf(new AggregateError([new Error('::1'), new Error('127.0.0.1')]))).toBe(
      '::1, 127.0.0.1',
    );
  });

  it('ends for causes that refer to each other', () => {
    const error = new Error('one');
    error.cause = error;

    expect(reasonOf(error)).toBe('one');
  });

  it.each([
    ['text', 'text'],
    [undefined, 'undefined'],
  ])('returns %j as text', (thrown, text) => {
    expect(reasonOf(thrown)).toBe(text);
  });
});
