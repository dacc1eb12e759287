import { labelledSections } from './labelled-sections.js';

const LABEL = /^(Highlight|Note):/gm;

describe('sections under labels', () => {
  it('are divided at labels that begin a line', () => {
    expect(
      labelledSections('before\nHighlight: a\r\nNote: within Note: b\nNote:\nHighlight:c', LABEL),
    ).toEqual([
      { label: '', text: 'before' },
      { label: 'highlight', text: 'a' },
      { label: 'note', text: 'within Note: b' },
      { label: 'highlight', text: 'c' },
    ]);
  });

  it('are missing in a blank text', () => {
    expect(labelledSections(' \n', LABEL)).toEqual([]);
  });
});
