import type { Request } from 'express';

import { ValidationFailedError } from '../../platform/common/common.errors.js';
import { fileOf, restoresDeleted } from './import.request.js';

const nameOf = (fileName: string): string | undefined => {
  const upload = { fileName, file: (async function* () {})() };
  return fileOf({ upload } as Partial<Request> as Request)?.fileName;
};

describe('the name of an uploaded file', () => {
  it('is cut where it is long, and no character of it in two', () => {
    const longest = `${'x'.repeat(199)}🧺`;

    expect(nameOf(longest)).toBe(longest);
    expect(nameOf(`${longest}.csv`)).toBe(longest);
  });

  it('has nothing that the database would refuse', () => {
    expect(nameOf('a\0b\ud800.csv')).toBe('ab\ufffd.csv');
  });
});

describe('whether deleted items come back', () => {
  const asked = (body: unknown, query: object): boolean =>
    restoresDeleted({ body, query } as Partial<Request> as Request);

  it.each([
    ['in the body', { restore_deleted: '1' }, {}, true],
    ['in the query', {}, { restore_deleted: '1' }, true],
    ['nowhere', {}, {}, false],
    ['nowhere, without a body', undefined, {}, false],
    ['as nothing in the body', { restore_deleted: '' }, { restore_deleted: '1' }, true],
    ['in both, where the body wins', { restore_deleted: '0' }, { restore_deleted: '1' }, false],
  ])('is said %s', (_, body, query, restores) => {
    expect(asked(body, query)).toBe(restores);
  });

  it.each([
    [{ restore_deleted: 'perhaps' }, {}],
    [{}, { restore_deleted: ['1', '0'] }],
  ])('is refused where it is no flag: %j %j', (body, query) => {
    expect(() => asked(body, query)).toThrow(ValidationFailedError);
  });
});
