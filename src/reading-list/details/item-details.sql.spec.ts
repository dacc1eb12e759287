import { SHOW_DETAILS } from './item-details.sql.js';

describe('the statement that copies details to items', () => {
  it('assigns only columns, because Citus rejects an UPDATE that calls STABLE functions', () => {
    const [, assignments = ''] = /SET (.*?)\s+FROM/s.exec(SHOW_DETAILS) ?? [];

    expect(assignments.split(/,\s+/)).toEqual([
      'lang = shown.lang',
      'top_image_url = shown.top_image_url',
      'media = shown.media',
    ]);
    expect(SHOW_DETAILS).toMatch(/OFFSET 0\) shown/);
  });
});
