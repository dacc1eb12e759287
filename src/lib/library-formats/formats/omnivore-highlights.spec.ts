import { omnivoreNotes } from './omnivore-highlights.js';

describe('the highlights file of an article of Omnivore', () => {
  it('keeps labels and notes with their highlights, and notes of the page apart', () => {
    const markdown =
      '> They want no sun \n\n#important #shade\n\nso true\n\n' +
      '> Second quote \n\nmy second note\n\nA note about the page\n\n\n';

    expect(omnivoreNotes(markdown)).toEqual({
      highlights: [
        { quote: 'They want no sun', note: '#important #shade\n\nso true' },
        { quote: 'Second quote', note: 'my second note' },
      ],
      note: 'A note about the page',
    });
  });

  it('reads a note about the page before, between and after highlights without notes', () => {
    const markdown = 'First\n\n\n\n> One \n\nSecond\n\n\n\n> Two \n\nThird\n\n';

    expect(omnivoreNotes(markdown)).toEqual({
      highlights: [{ quote: 'One' }, { quote: 'Two' }],
      note: 'First\n\nSecond\n\nThird',
    });
  });

  it('reads a note of two paragraphs, and quotes of several lines', () => {
    const markdown = '> One,\ntwo\n> and three \n\nFirst.\n\nSecond.\n\n> > Quoted ';

    expect(omnivoreNotes(markdown)).toEqual({
      highlights: [
        { quote: 'One,\ntwo\nand three', note: 'First.\n\nSecond.' },
        { quote: '> Quoted' },
      ],
      note: '',
    });
  });

  it('reads a file with only a note, and an empty one', () => {
    expect(omnivoreNotes('Only this\r\n\r\n')).toEqual({ highlights: [], note: 'Only this' });
    expect(omnivoreNotes('\n\n')).toEqual({ highlights: [], note: '' });
  });
});
