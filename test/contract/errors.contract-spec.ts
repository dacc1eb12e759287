import { readFileSync } from 'node:fs';

import { ERROR_CATALOGUE } from '../../src/platform/common/error.catalogue.js';

/** A row of the table: | `code` | status | X-Error-Code | … */
const ROW = /^\| *`(\w+)` *\| *(\d+) *\| *(\d+) *\| *(\S.*?) *\|$/gm;

const documented = [...readFileSync('docs/api/errors.md', 'utf8').matchAll(ROW)].map(
  ([, code = '', status, xErrorCode]) => ({
    code,
    status: Number(status),
    xErrorCode: Number(xErrorCode),
  }),
);

describe('docs/api/errors.md', () => {
  it('has each error of the catalogue with its status and X-Error-Code, and no other', () => {
    const catalogue = Object.entries(ERROR_CATALOGUE).map(([code, row]) => ({ code, ...row }));

    const byCode = (rows: typeof documented) =>
      rows.toSorted((one, other) => one.code.localeCompare(other.code));
    expect(byCode(documented)).toEqual(byCode(catalogue));
  });

  it('has them in the order of their statuses', () => {
    const statuses = documented.map(({ status }) => status);

    expect(statuses).toEqual(statuses.toSorted((one, other) => one - other));
  });
});
