import { IsInt, IsOptional, IsString, MaxLength } from 'class-validator';

import { ValidationFailedError } from '../platform/common/common.errors.js';
import { parseRequest, RequestPipe } from './parse-request.js';

class Sample {
  @IsString()
  @MaxLength(5)
  name!: string;

  @IsOptional()
  @IsInt()
  count?: number;
}

const parse = (params: object): Sample => parseRequest(Sample, params);
const pipe = (params: unknown): Promise<unknown> =>
  Promise.resolve(new RequestPipe().transform(params, { type: 'body', metatype: Sample }));

const problemsOf = (error: unknown): readonly string[] | undefined =>
  error instanceof ValidationFailedError ? error.problems : undefined;

describe('parseRequest', () => {
  it('makes an object of the class', () => {
    const sample = parse({ name: 'a', count: 1 });

    expect(sample).toBeInstanceOf(Sample);
    expect(sample).toEqual({ name: 'a', count: 1 });
  });

  it('drops parameters that the class does not name', () => {
    const hostile = '{"name":"a","id":"1","__proto__":{"admin":true},"constructor":1}';
    const params = JSON.parse(hostile) as object;

    const sample = parse(params);

    expect(Object.keys(sample)).toEqual(['name']);
    expect('admin' in sample).toBe(false);
  });

  it('converts nothing', () => {
    expect(() => parse({ name: 1 })).toThrow(ValidationFailedError);
    expect(() => parse({ name: 'a', count: '1' })).toThrow(ValidationFailedError);
  });

  it('reports every error at once', () => {
    let thrown: unknown;
    try {
      parse({ name: 'too long', count: 'x' });
    } catch (error) {
      thrown = error;
    }

    expect(problemsOf(thrown)).toEqual([
      expect.stringContaining('name'),
      expect.stringContaining('count'),
    ]);
  });

  it.each([[[]], [{ name: ['a'] }], [{ name: { toString: 'a' } }], [{ name: { length: 1 } }]])(
    'refuses %j',
    (params) => {
      expect(() => parse(params)).toThrow(ValidationFailedError);
    },
  );
});

describe('RequestPipe', () => {
  it('reads as parseRequest does', async () => {
    const params = { name: 'a', other: 1 };

    expect(await pipe(params)).toEqual(parse(params));
    await expect(pipe({ name: 1 })).rejects.toThrow(ValidationFailedError);
  });
});
