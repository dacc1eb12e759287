import type { DescribedDocument } from './document-facts.js';
import { describeInParts } from './document-thread.js';

const task = { kind: 'pdf', bytes: new Uint8Array([1, 2, 3]), contentType: undefined } as const;
const part = (article: string, nextPage?: number): DescribedDocument => ({
  facts: { wordCount: 1 },
  encoding: '',
  article,
  ...(nextPage !== undefined && { nextPage }),
});

it('ends the article of a PDF at the part that is too much, and counts the words on', async () => {
  const parts = [part('<p>a</p>', 501), part('b'.repeat(6_000_000), 1001), part('<p>c</p>')];

  const whole = await describeInParts(task, () => Promise.resolve(parts.shift() ?? part('')));

  expect(whole).toMatchObject({ article: '<p>a</p>', facts: { wordCount: 3 } });
});

it('copies the bytes of a part when its turn has come', async () => {
  const slice = jest.spyOn(task.bytes, 'slice');

  await describeInParts(task, (read) => {
    expect(slice).not.toHaveBeenCalled();
    expect([...read().bytes]).toEqual([1, 2, 3]);
    return Promise.resolve(part(''));
  });

  expect(slice).toHaveBeenCalledTimes(1);
});
