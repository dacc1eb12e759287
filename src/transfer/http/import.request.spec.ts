import type { Request } from 'express';

import { fileOf } from './import.request.js';

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
