import { aLibrary, anItem, textOf } from '../../../../test/support/a-library.js';
import { netscape } from '../formats/bookmarks/netscape.js';
import { writeNetscape } from './html.js';
import { writeJsonLines } from './jsonl.js';

describe('the note of an item', () => {
  const noted = [{ item: anItem({ note: 'first\n<second> & "third"' }), annotations: [] }];

  it('is a field and an annotation without a quote in JSON lines', async () => {
    const [, line = ''] = (
      await textOf(writeJsonLines(aLibrary(noted), { withArticles: false }))
    ).split('\n');

    expect(JSON.parse(line)).toMatchObject({
      note: 'first\n<second> & "third"',
      annotations: [
        {
          annotation_id: 'satchel-note-1',
          quote: '',
          created_at: 1_700_000_000,
          note: 'first\n<second> & "third"',
        },
      ],
    });
  });

  it('is the description of a bookmark', async () => {
    expect(await textOf(writeNetscape(aLibrary(noted)))).toContain(
      '</A>\n    <DD>first\n&lt;second&gt; &amp; &quot;third&quot;\n</DL>',
    );
  });

  it('comes back with an import of the bookmark file', async () => {
    const file = await textOf(writeNetscape(aLibrary(noted)));
    const bytes = async function* (): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from(file));
    };
    const notes: unknown[] = [];
    for await (const row of netscape.rows({ path: '', bytes, sibling: () => undefined })) {
      notes.push('item' in row && row.item.note);
    }

    expect(notes).toEqual(['first\n<second> & "third"']);
  });
});
