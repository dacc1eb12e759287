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
  it('lists exactly the errors of the catalogue, with their status and X-Error-Code', () => {
    const catalogue = Object.entries(ERROR_CATALOGUE).map(([code, row]) => ({ code, ...row }));

    const byCode = (rows: typeof documented) =>
      rows.toSorted((one, other) => one.code.localeCompare(other.code));
    expect(byCode(documented)).toEqual(byCode(catalogue));
  });

  it('lists the errors in the order of their statuses', () => {
    const statuses = documented.map(({ status }) => status);

    expect(statuses).toEqual(statuses.toSorted((one, other) => one - other));
  });
});
