import { MOST_COUNTED, type NotImportedReport } from '../../lib/library-formats/not-imported.js';
import { english } from '../../platform/i18n/translator.js';
import { notImportedMessages } from './not-imported-messages.js';

const sentences = (report: NotImportedReport | null): string[] =>
  notImportedMessages(report).map((sentence) => english.text(sentence));

describe('notImportedMessages', () => {
  it('returns nothing without a report', () => {
    expect(sentences(null)).toEqual([]);
  });

  it('returns a sentence for each field, with the file in an archive', () => {
    const fields = [
      { path: '', kind: 'column', name: 'Summary', rows: 1 },
      { path: 'a/b.json', kind: 'key', name: 'notes.[].{{count}} & more', rows: 1200 },
      { path: '', kind: 'file', name: '*.png', rows: 2 },
      { path: '', kind: 'file', name: '*.epub', rows: 1 },
    ] as const;

    expect(sentences({ fields, more: 0 })).toEqual([
      'Not imported: column `Summary` (1 row)',
      'Not imported: a/b.json, key `notes.[].{{count}} & more` (1200 rows)',
      'Not imported: file `*.png` (2 files)',
      'Not imported: file `*.epub` (1 file)',
    ]);
  });

  it.each([
    [12, 'Not imported: 12 more fields'],
    [MOST_COUNTED, 'Not imported: at least 10000 more fields'],
  ])('returns a sentence for %i further fields', (more, sentence) => {
    expect(sentences({ fields: [], more })).toEqual([sentence]);
  });
});
