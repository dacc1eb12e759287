import { readContent } from '../support/read-export.js';

describe('broken XML', () => {
  const entry = (url: string) =>
    `<entry><is_archived>0</is_archived><url>${url}</url><title>${url}</title></entry>`;

  it('is read up to the place where it breaks off', async () => {
    const { items, refusals } = await readContent(
      `<result>${entry('https://a.example')}<entry><url>https://b.example`,
    );

    expect(items).toMatchObject([{ url: 'https://a.example' }]);
    expect(refusals).toMatchObject([
      { reason: 'The XML breaks off here: the file is not complete.' },
    ]);
  });

  it('is read up to an element that is nested too deeply', async () => {
    const { items, refusals } = await readContent(
      `<result>${entry('https://a.example')}${'<entry>'.repeat(100)}`,
    );

    expect(items).toHaveLength(1);
    expect(refusals).toMatchObject([
      { reason: 'The XML is nested too deeply: the rest of the file cannot be read.' },
    ]);
  });

  it('is read up to a text that is never closed', async () => {
    const { items, refusals } = await readContent(
      `<result>${entry('https://a.example')}<entry><url><![CDATA[${'x'.repeat(9_000_000)}`,
    );

    expect(items).toHaveLength(1);
    expect(refusals).toMatchObject([
      {
        reason:
          'A tag or a text opens here and is not closed: the rest of the file cannot be read.',
      },
    ]);
  });

  it('loses only an entry that is too large', async () => {
    const many = '<tags><entry>x</entry></tags>'.repeat(40_000);

    const { items, refusals } = await readContent(
      `<result>${entry('https://a.example').replace('</entry>', `${many}</entry>`)}${entry('https://b.example')}</result>`,
    );

    expect(items).toMatchObject([{ url: 'https://b.example' }]);
    expect(refusals).toMatchObject([
      { reason: 'The entry is larger than any saved page can be.', text: 'https://a.example' },
    ]);
  });
});
