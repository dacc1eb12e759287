import { processorSeconds } from '../../../test/support/processor-time.js';
import { recognise } from './formats.js';

const HEAD_LENGTH = 65_536;

async function tryToRecognise(text: string): Promise<void> {
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from(text));
  };
  await recognise({ path: '', bytes, sibling: () => undefined }).catch(() => undefined);
}

describe('recognise', () => {
  it.each(['pinboard-xml', 'wallabag-xml'])('finds %s behind a comment', async (format) => {
    const root =
      format === 'pinboard-xml'
        ? '<posts user="ada"><post href="https://a.example/"/></posts>'
        : '<result><entry><is_archived>1</is_archived></entry></result>';
    const text = `<?xml version="1.0"?>\n<!-- one -->\n<!-- two -->\n${root}`;
    const bytes = async function* (): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from(text));
    };

    const match = await recognise({ path: '', bytes, sibling: () => undefined });

    expect(match.format.name).toBe(format);
  });

  // An archive can contain thousands of slow files, so one second for each file would add up to hours.
  it.each([
    ['posts without `href`', '<posts>', '<post '],
    ['posts in posts', '<posts>', '<post x>'],
    ['entries without `is_archived`', '<result>', '<entry>'],
    ['comments', '', '<!-- -->'],
    ['an open comment', '<!--', ' -- '],
    ['titles', '', '<title> '],
    ['links', '', '<a '],
    ['blanks', '<?xml', ' '],
  ])('takes little time for a file of nothing but %s', async (_, beginning, piece) => {
    const text = `${beginning}${piece.repeat(HEAD_LENGTH)}`.slice(0, HEAD_LENGTH);
    await tryToRecognise(text);

    const seconds = await processorSeconds(async () => {
      for (let time = 0; time < 40; time += 1) {
        await tryToRecognise(text);
      }
    });

    expect(seconds).toBeLessThan(1.5);
  });
});
