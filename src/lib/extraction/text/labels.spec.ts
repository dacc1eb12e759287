import { isByline, isDateline, isEnd, isLabel, isWeakEnd } from './labels.js';

it.each([
  'Advertisement',
  'Share this',
  'Share on Facebook',
  'Udostępnij artykuł',
  'Read more: the gulls are back',
  'Lesen Sie auch: Möwen',
  'Photo: Marit Holm',
  '© Marit Holm',
  '12 comments',
  'Anzeige',
  'Sign up for our newsletter and get the news of the harbour each week.',
  '• • •',
  'Anzeige:',
  'The pier in the evening. (Photo by Marit Holm/HNA)',
  'This post may contain affiliate links.',
  'Ada Nordin contributed to this report.',
  '[button link="/x" type="big"] Buy it [/button]',
  'AP Photo/Marit Holm',
  '(Foto Marit Holm)',
  'Tags: gulls, pier',
  'Skip to main content',
  'Te recomendamos: las gaviotas han vuelto',
  'Suscríbete a nuestro boletín',
  'Przeczytaj także: mewy wróciły',
  'Fot. Marit Holm',
])('%s is a label', (line) => {
  expect(isLabel(line)).toBe(true);
});

it.each([
  'Share prices fell on Tuesday, after the bank had said what few wanted to hear.',
  'Comments by the minister were met with laughter in the back rows of the chamber.',
  'Print is not dead, said the printer, and he should know what he is talking about.',
  'Share photos that they were taking',
  'Response time by telephone.',
  '[1] The harbour office, yearly report.',
  'Fotografieren ist auf dem Pier erlaubt.',
  '序章',
  'Глава',
  'Photosynthesis',
  'Image formats',
  'Gettysburg',
  'Tagliatelle al ragù',
  'Tag the fish, measure it, and let it go.',
  'Skip to step 5 if the rope is dry.',
  'Relatedness',
  'Anzeigepflicht',
  'Source code is read more often than it is written.',
  'Copyright law protects original works of authorship, and has done so since 1710.',
  'Related work has shown that gulls can count to three.',
  'Sign up for an account and create a key before you start.',
  'Subscribe to the message event before you start the worker.',
  'Read more than one book at a time and you forget them all.',
  'Click here and drag the box to where the lamp shall stand.',
])('%s is text', (line) => {
  expect(isLabel(line)).toBe(false);
  expect(isEnd(line)).toBe(false);
});

it.each([
  'Related articles',
  'Leave a comment',
  '3 Comments',
  'Das könnte Sie auch interessieren',
  'About the author',
])('%s is the end', (line) => {
  expect(isEnd(line)).toBe(true);
});

it.each([
  'Published 3 May 2024',
  'May 3, 2024',
  '3. Mai 2024',
  '2024-05-03 12:00',
  '5 min read',
  'Updated at 1:23 p.m.',
  'NORTH PIER (HNA) —',
  'Data publikacji: 3 maja 2024',
])('%s is a line of dates', (line) => {
  expect(isDateline(line)).toBe(true);
});

it.each([
  'Thoughts on pricing',
  'Comments on the proposal',
  'Empfohlene Dosierung',
  'Ähnliche Probleme',
  'Recommended approach',
  'Most popular destinations',
  'More from the second day',
])('%s is the end only where no text follows', (line) => {
  expect(isWeakEnd(line)).toBe(true);
});

it.each(['3 thoughts on “Gulls”', 'Related articles', 'Ähnlichkeiten'])(
  '%s is no end that depends on what follows',
  (line) => {
    expect(isWeakEnd(line)).toBe(false);
  },
);

it('knows the day of a text from what is to be done', () => {
  expect(isDateline('Stand: 3. Mai 2024')).toBe(true);
  expect(isDateline('Stand the jars in warm water.')).toBe(false);
  expect(isDateline('Published in 1851, the novel was no success at first.')).toBe(false);
  expect(isDateline('On July 4, 1776 the Congress declared independence.')).toBe(false);
});

it.each([
  'Por eso decidimos salir del puerto.',
  'Von der Idee zum Boot',
  'By noon the harbour was shut.',
])('%s does not say who wrote it', (line) => {
  expect(isByline(line)).toBe(false);
});

it('knows who wrote from what was written', () => {
  expect(isByline('BY ADA NORDIN')).toBe(true);
  expect(isByline('Text: ada')).toBe(true);
  expect(isByline('Автор: Анна Норд')).toBe(true);
  expect(isByline('作者：小林一茶')).toBe(true);
  expect(isByline('By Ada Nordin')).toBe(true);
  expect(
    isByline(`By the time that they had reached the pier, ${'the storm was over, and '.repeat(5)}`),
  ).toBe(false);
});
