import { processorSeconds } from '../../../../test/support/processor-time.js';
import type { ImportRow } from '../format.js';
import { diigo } from './diigo.js';

const HEADER = 'title,url,tags,description,comments,annotations,created_at';

async function rowsWith(annotations: string): Promise<readonly ImportRow[]> {
  const file = `${HEADER}\nA,https://a.example/,,,,${annotations},\n`;
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from(file));
  };
  const rows: ImportRow[] = [];
  for await (const row of diigo.rows({ path: '', bytes, sibling: () => undefined })) {
    rows.push(row);
  }
  return rows;
}

describe('diigo', () => {
  it('joins the sticky notes of a highlight', async () => {
    expect(await rowsWith('Highlight: q Sticky note: a Sticky note: b')).toMatchObject([
      { item: { annotations: [{ quote: 'q', note: 'a\n\nb' }] } },
    ]);
  });

  it('takes little time for a row with tens of thousands of sticky notes', async () => {
    const notes = `Highlight: q ${'Sticky note:a '.repeat(70_000)}`;

    expect(await processorSeconds(() => rowsWith(notes))).toBeLessThan(2);
  });
});
