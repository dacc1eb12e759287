import { namesIn } from './authors.js';

it.each([
  ['Ada Nordin', ['Ada Nordin']],
  ['By Ada Nordin', ['Ada Nordin']],
  ['Von Ada Nordin und Jon Vesterby', ['Ada Nordin', 'Jon Vesterby']],
  ['Ada Nordin, Jon Vesterby & Marit Holm', ['Ada Nordin', 'Jon Vesterby', 'Marit Holm']],
  ['Ada Nordin | 9 March 2024', ['Ada Nordin']],
  ['Ada Nordin, Staff Writer', ['Ada Nordin']],
  ['Ada Nordin (@ada)', ['Ada Nordin']],
  ['Martin Luther King, Jr.', ['Martin Luther King, Jr.']],
  ['Ada Nordin Updated March 9, 2024', ['Ada Nordin']],
  ['Jean-Luc O&#39;Hara', ["Jean-Luc O'Hara"]],
  ['admin', []],
  ['Staff', []],
  ['Written By', []],
  ['Authors', []],
  ['The', []],
  ['View more posts', []],
  ['The Harbour Courier', []],
  ['https://www.facebook.com/ada', []],
  ['page.head.author', []],
  ['July 22, 2017', []],
  ['', []],
  [
    'A long sentence that a visitor put into the element that was made for the name of the author',
    [],
  ],
])('%j names %j', (line, names) => {
  expect(namesIn(line, 'The Harbour Courier')).toEqual(names);
});
