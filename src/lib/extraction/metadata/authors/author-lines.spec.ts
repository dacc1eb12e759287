import { bylineIn, labelledIn, nameBeforeDate } from './author-lines.js';

it.each([
  [['By Ada Nordin', 'The bell is late.'], 'By Ada Nordin'],
  [['by ada', '9 March 2024'], 'by ada'],
  [['Written by', 'Ada Nordin'], 'Ada Nordin'],
  [['Autor:', 'Ada Nordin'], 'Ada Nordin'],
  [['作者：林晓 2025年03月04日'], '作者：林晓 2025年03月04日'],
  [['by hand', 'The bell is late.'], undefined],
  [['By Monday all was done'], undefined],
  [['Written by', 'The bell is late since the flood.'], undefined],
])('the byline of %j is %j', (lines, byline) => {
  expect(bylineIn(lines)).toBe(byline);
});

it.each([
  [['The bell is late.', 'Written by Ada Nordin'], 'Written by Ada Nordin'],
  [['Autorin: Ada Nordin, Projektleiterin'], 'Autorin: Ada Nordin, Projektleiterin'],
  [['Article written by:', 'Ada Nordin, MD'], 'Ada Nordin, MD'],
  [['By Ada Nordin'], undefined],
  [['Author', 'Ada Nordin'], undefined],
])('the labelled line of %j is %j', (lines, byline) => {
  expect(labelledIn(lines)).toBe(byline);
});

it.each([
  [['Ada Nordin | Senior Writer | July 2, 2025'], 'Ada Nordin'],
  [['Ada Nordin', 'July 2, 2025'], 'Ada Nordin'],
  [['The Harbour', 'July 2, 2025'], undefined],
  [['Ada Nordin', 'The bell is late.'], undefined],
  [['One', 'Two', 'Three', 'Ada Nordin', 'July 2, 2025'], undefined],
])('the name before the date in %j is %j', (lines, name) => {
  expect(nameBeforeDate(lines)).toBe(name);
});
